import { importsOf, type Sources } from './sources.ts';

/** Strongly connected components of the import graph, type imports included (Tarjan's algorithm). */
export const findCycles = (sources: Sources): string[][] => {
  const edges = new Map(
    Array.from(sources, ([file, text]) => [
      file,
      importsOf(file, text)
        .map(({ target }) => target)
        .filter((target) => sources.has(target)),
    ]),
  );
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const target of edges.get(file)!) {
      if (!index.has(target)) {
        visit(target);
        low.set(file, Math.min(low.get(file)!, low.get(target)!));
      } else if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, index.get(target)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) cycles.push(component);
  };
  for (const file of edges.keys()) if (!index.has(file)) visit(file);
  return cycles;
};

export const checkCycles = (sources: Sources): string[] =>
  findCycles(sources).map((files) => `import cycle: ${files.join(' → ')} → ${files[0]}`);
