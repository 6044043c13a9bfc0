import { domainEdges, mutualEdges } from './declared-edges.ts';
import { importsOf, isTestSupport, type Sources } from './sources.ts';

/** `server/domain/support/chats/read/get-chat.ts` belongs to `support/chats`. Root files of the domain belong to no folder. */
const nounOf = (file: string): string | undefined => /^server\/domain\/(\w+\/[\w-]+)\//.exec(file)?.[1];

/** Which noun folder of the domain imports which others. */
export const readDomainEdges = (sources: Sources): Map<string, Set<string>> => {
  const edges = new Map<string, Set<string>>();
  for (const [file, text] of sources) {
    const from = nounOf(file);
    if (!from || isTestSupport(file)) continue;
    for (const { target } of importsOf(file, text)) {
      const to = nounOf(target);
      // The types of a noun are vocabulary that every folder may use.
      if (to && to !== from && !target.endsWith('/records.ts')) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return edges;
};

/** Every import between noun folders is declared, every declaration is used, and two folders import each other only with a reason. */
export const checkDomainEdges = (sources: Sources): string[] => {
  const problems: string[] = [];
  const actual = readDomainEdges(sources);
  const declares = (from: string, to: string): boolean => domainEdges[from]?.includes(to) ?? false;
  for (const [from, targets] of actual)
    for (const to of targets) {
      if (!declares(from, to)) problems.push(`domain/${from} imports domain/${to}: not declared in declared-edges.ts`);
      if (from < to && actual.get(to)?.has(from) && !mutualEdges[`${from} ${to}`])
        problems.push(`domain/${from} and domain/${to} import each other: remove one direction`);
    }
  for (const [from, targets] of Object.entries(domainEdges))
    for (const to of targets)
      if (!actual.get(from)?.has(to)) problems.push(`declared-edges.ts: ${from} no longer imports ${to}`);
  return problems;
};
