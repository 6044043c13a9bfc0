import { type Import, importsOf, isTestSupport } from './sources.ts';

interface Layer {
  name: string;
  /** Folders end with a slash. A file belongs to the first layer that matches it. */
  at: string[];
  may: string[] | 'anything';
  /** The folders below are separate layers that must not import each other. */
  divided?: true;
}

/** Which layer may import which. A layer may always import itself. */
const layers: Layer[] = [
  {
    name: 'checks',
    at: ['scripts/', 'bench/', 'e2e/', 'vitest.config.ts', 'vitest.drills.config.ts', 'server/testing/'],
    may: 'anything',
  },
  { name: 'browser apps', at: ['console/', 'portal/', 'widget/'], may: ['contracts', 'browser'], divided: true },
  { name: 'browser', at: ['browser/'], may: ['contracts'] },
  { name: 'contracts', at: ['contracts/'], may: [] },
  { name: 'storage', at: ['server/storage/'], may: [] },
  { name: 'ports', at: ['server/ports/'], may: [] },
  { name: 'domain', at: ['server/domain/'], may: ['storage'] },
  { name: 'projections', at: ['server/projections/'], may: ['domain', 'storage'] },
  { name: 'jobs', at: ['server/jobs/'], may: ['domain', 'storage', 'ports', 'projections'] },
  { name: 'reactions', at: ['server/reactions/'], may: ['domain', 'storage', 'ports', 'jobs'] },
  { name: 'demo', at: ['server/demo/'], may: ['domain', 'storage'] },
  { name: 'commands', at: ['server/commands/'], may: ['domain', 'storage', 'ports', 'process', 'projections'] },
  { name: 'http', at: ['server/http/'], may: ['contracts', 'domain'] },
  {
    name: 'shared surfaces',
    at: ['server/surfaces/chat-v3/', 'server/surfaces/shared/'],
    may: ['contracts', 'domain', 'http'],
  },
  { name: 'realtime', at: ['server/realtime/'], may: ['contracts', 'domain', 'http', 'shared surfaces', 'ports'] },
  { name: 'surface list', at: ['server/surfaces/index.ts'], may: ['surfaces', 'http'] },
  {
    name: 'surfaces',
    at: ['server/surfaces/'],
    may: ['contracts', 'domain', 'http', 'shared surfaces', 'realtime'],
    divided: true,
  },
  {
    name: 'process',
    at: [
      'server/config.ts',
      'server/log.ts',
      'server/metrics.ts',
      'server/installation-secrets.ts',
      'server/closing.ts',
      'server/close-http.ts',
    ],
    may: ['domain', 'ports', 'storage'],
  },
  {
    name: 'wiring',
    at: [
      'server/context.ts',
      'server/open-ports.ts',
      'server/server.ts',
      'server/main.ts',
      'server/first-run.ts',
      'server/http.ts',
      'server/mail-in.ts',
    ],
    may: 'anything',
  },
];

interface Exception {
  from: string[];
  to: string;
  typesOnly: boolean;
}

const exceptions: Exception[] = [
  // The keys of the message catalogs are types.
  { from: ['console/src/i18n/messages.ts'], to: 'console/locales/', typesOnly: true },
  // The context, opened at start, is passed to handlers as one object.
  {
    from: ['server/http/', 'server/surfaces/', 'server/realtime/'],
    to: 'server/context.ts',
    typesOnly: true,
  },
  // Storage classifies database failures; http maps them to responses.
  { from: ['server/http/to-domain-error.ts'], to: 'server/storage/database-errors.ts', typesOnly: false },
  // A development page lists the mails that were not sent.
  { from: ['server/surfaces/site/'], to: 'server/ports/mail/', typesOnly: true },
  // A page replaces the payment provider's hosted form in the sandbox.
  { from: ['server/surfaces/site/'], to: 'server/ports/payments/', typesOnly: true },
];

/** Packages that only some layers may import. */
const packages: Record<string, string[]> = {
  fastify: ['http', 'shared surfaces', 'surfaces', 'realtime', 'process', 'wiring', 'checks'],
};

const MARK = 'PLATFORM_MARK';
const MARK_FILES = [
  'server/storage/guard.ts',
  'server/storage/platform.ts',
  'server/storage/platform-mails.ts',
  'server/storage/platform-timers.ts',
  'server/storage/platform-visits.ts',
  'server/storage/platform-money.ts',
  'server/storage/platform-experts.ts',
  'server/storage/platform-resellers.ts',
  'server/storage/platform-referrals.ts',
  'server/storage/platform-addresses.ts',
];

const MAX_LENGTH = 300;
/** Schemas and data may be long. */
const MAY_BE_LONG = /^contracts\/|^server\/storage\/(migrations|tables)\//;

const within = (file: string, paths: string[]): string | undefined =>
  paths.find((root) => (root.endsWith('/') ? file.startsWith(root) : file === root));

interface Place {
  layer: Layer;
  /** The name, and for divided layers the part. */
  part: string;
}

const placeOf = (file: string): Place | undefined => {
  for (const layer of layers) {
    const root = within(file, layer.at);
    if (root === undefined) continue;
    const part = layer.divided ? `${root}${file.slice(root.length).split('/')[0]}` : layer.name;
    return { layer, part: part.replace(/\/$/, '') };
  }
  return undefined;
};

const isOurs = (target: string): boolean =>
  /^(browser|contracts|server|scripts|bench|e2e|console|portal|widget)\//.test(target);

/** Areas of the domain, and which other areas each of them may import. */
const AREAS: Record<string, string[]> = { support: ['accounts'], partners: ['accounts'], accounts: [] };
const areaOf = (file: string): string => /^server\/domain\/(\w+)\//.exec(file)?.[1] ?? '';

const isAreaCrossed = (file: string, target: string): boolean => {
  const [from, to] = [areaOf(file), areaOf(target)];
  return from !== to && from in AREAS && to in AREAS && !AREAS[from]!.includes(to);
};

const explainForbidden = (file: string, from: Place, { target, typesOnly }: Import): string | undefined => {
  if (!isOurs(target)) {
    const allowed = packages[target];
    return allowed && !allowed.includes(from.layer.name)
      ? `only ${allowed.join(', ')} may import ${target}`
      : undefined;
  }
  const to = placeOf(target);
  if (!to) return 'that file belongs to no layer';
  if (isTestSupport(target) && from.layer.name !== 'checks') return 'only tests may';
  if (isAreaCrossed(file, target))
    return `${areaOf(file)} may import ${AREAS[areaOf(file)]!.join(', ') || 'no other area'}`;
  if (from.part === to.part) return undefined;
  if (from.layer.may === 'anything') return undefined;
  const isException = exceptions.some(
    (one) => within(file, one.from) && within(target, [one.to]) && (typesOnly || !one.typesOnly),
  );
  if (isException) return undefined;
  if (from.layer === to.layer) return `${from.part} and ${to.part} must not import each other`;
  if (from.layer.may.includes(to.layer.name)) return undefined;
  return `${from.layer.name} may import ${from.layer.may.join(', ') || 'nothing of ours'}`;
};

const lineCount = (text: string): number => text.trimEnd().split('\n').length;

const checkFile = (file: string, text: string): string[] => {
  const problems: string[] = [];
  if (lineCount(text) > MAX_LENGTH && !MAY_BE_LONG.test(file))
    problems.push(`${file} has ${lineCount(text)} lines (${MAX_LENGTH} at most)`);
  if (file.startsWith('server/') && text.includes(MARK) && !MARK_FILES.includes(file))
    problems.push(`${file} uses ${MARK} (only ${MARK_FILES.join(' and ')} may)`);
  const from = placeOf(file);
  if (!from) return [...problems, `${file} belongs to no layer (see the table in scripts/structure/layers.ts)`];
  for (const one of importsOf(file, text)) {
    const problem = explainForbidden(file, from, one);
    if (problem) problems.push(`${file} → ${one.target} (${problem})`);
  }
  return problems;
};

/** Forbidden imports, files that are too long, and cross-tenant queries outside their files. */
export const checkLayers = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) => (isTestSupport(file) ? [] : checkFile(file, text)));
