import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Room {
  name: string;
  /** Folders end with a slash. The first room that matches a file is its room. */
  at: string[];
  may: string[] | 'anything';
  /** Each folder below is a room of its own, and they do not know each other. */
  divided?: true;
}

/** Who may import whom. A room may always import itself. */
const rooms: Room[] = [
  { name: 'checks', at: ['scripts/', 'bench/', 'e2e/', 'vitest.config.ts', 'server/testing/'], may: 'anything' },
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
  // Whatever is opened at start is handed on as one object.
  {
    from: ['server/http/', 'server/surfaces/', 'server/realtime/'],
    to: 'server/context.ts',
    typesOnly: true,
  },
  // How a database fails is storage's knowledge; what a caller is told about it is http's.
  { from: ['server/http/failures.ts'], to: 'server/storage/failures.ts', typesOnly: false },
  // The mails that were not sent can be read on a page.
  { from: ['server/surfaces/site/'], to: 'server/ports/mail/', typesOnly: true },
  // A page stands in for a payment provider's own.
  { from: ['server/surfaces/site/'], to: 'server/ports/payments/', typesOnly: true },
];

/** Packages that only some rooms may know. */
const packages: Record<string, string[]> = {
  fastify: ['http', 'shared surfaces', 'surfaces', 'realtime', 'process', 'wiring', 'checks'],
};

const MARK = 'PLATFORM_MARK';
const MARK_FILES = [
  'server/storage/guard.ts',
  'server/storage/platform.ts',
  'server/storage/platform-timers.ts',
  'server/storage/platform-visits.ts',
  'server/storage/platform-money.ts',
  'server/storage/platform-experts.ts',
  'server/storage/platform-resellers.ts',
  'server/storage/platform-referrals.ts',
];

const MAX_LENGTH = 300;
/** Schemas and data. */
const LONG_BY_NATURE = /^contracts\/|^server\/storage\/(migrations|tables)\//;
/** Tests, and what stands beside them for their sake. */
const FOR_TESTS = /\.test\.ts$|^server\/testing\//;

const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?:(type\s)?\s*([^'";]*?)\s*from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/g;

interface Import {
  target: string;
  typesOnly: boolean;
}

const isTypesOnly = (names: string): boolean =>
  names.startsWith('{') &&
  names
    .slice(1, -1)
    .split(',')
    .filter((name) => name.trim() !== '')
    .every((name) => name.trim().startsWith('type '));

const importsOf = (file: string, text: string): Import[] =>
  [...text.matchAll(IMPORT)].map(([, type, names = '', from, dynamic]) => {
    const target = (from ?? dynamic)!;
    return {
      target: target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target.replace(/^#/, ''),
      typesOnly: type !== undefined || isTypesOnly(names),
    };
  });

const within = (file: string, places: string[]): string | undefined =>
  places.find((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));

interface Place {
  room: Room;
  /** The name, and for divided rooms the part. */
  part: string;
}

const placeOf = (file: string): Place | undefined => {
  for (const room of rooms) {
    const place = within(file, room.at);
    if (place === undefined) continue;
    const part = room.divided ? `${place}${file.slice(place.length).split('/')[0]}` : room.name;
    return { room, part: part.replace(/\/$/, '') };
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

const judge = (file: string, from: Place, { target, typesOnly }: Import): string | undefined => {
  if (!isOurs(target)) {
    const known = packages[target];
    return known && !known.includes(from.room.name) ? `only ${known.join(', ')} may know ${target}` : undefined;
  }
  const to = placeOf(target);
  if (!to) return 'that file belongs to no room';
  if (FOR_TESTS.test(target) && from.room.name !== 'checks') return 'only tests may';
  if (isAreaCrossed(file, target))
    return `${areaOf(file)} may import ${AREAS[areaOf(file)]!.join(', ') || 'no other area'}`;
  if (from.part === to.part) return undefined;
  if (from.room.may === 'anything') return undefined;
  const excused = exceptions.some(
    (one) => within(file, one.from) && within(target, [one.to]) && (typesOnly || !one.typesOnly),
  );
  if (excused) return undefined;
  if (from.room === to.room) return `${from.part} and ${to.part} do not know each other`;
  if (from.room.may.includes(to.room.name)) return undefined;
  return `${from.room.name} may import ${from.room.may.join(', ') || 'nothing of ours'}`;
};

const lineCount = (text: string): number => text.trimEnd().split('\n').length;

const checkFile = (file: string, text: string): string[] => {
  const faults: string[] = [];
  if (lineCount(text) > MAX_LENGTH && !LONG_BY_NATURE.test(file))
    faults.push(`${file} has ${lineCount(text)} lines (${MAX_LENGTH} at most)`);
  if (file.startsWith('server/') && text.includes(MARK) && !MARK_FILES.includes(file))
    faults.push(`${file} uses ${MARK} (only ${MARK_FILES.join(' and ')} may)`);
  const from = placeOf(file);
  if (!from) return [...faults, `${file} belongs to no room (see the table in scripts/check-imports.ts)`];
  for (const one of importsOf(file, text)) {
    const fault = judge(file, from, one);
    if (fault) faults.push(`${file} → ${one.target} (${fault})`);
  }
  return faults;
};

/** Everything that is wrong with the given files, in lines a person can act on. */
export const checkFiles = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) => (FOR_TESTS.test(file) ? [] : checkFile(file, text)));

const root = path.join(import.meta.dirname, '..');

export const readSources = (): Map<string, string> => {
  const patterns = ['browser', 'contracts', 'server', 'scripts', 'bench', 'e2e', 'console', 'portal', 'widget'].map(
    (folder) => `${folder}/**/*.{ts,tsx,mjs}`,
  );
  const skipped = (name: string): boolean => /(^|\/)(node_modules|dist)(\/|$)/.test(name);
  const names = globSync(patterns, { cwd: root })
    .filter((name) => !skipped(name))
    .sort();
  return new Map(names.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));
};

/** The middle length of what is no test. */
const medianLines = (files: ReadonlyMap<string, string>): number => {
  const lengths = [...files]
    .filter(([name]) => !FOR_TESTS.test(name))
    .map(([, text]) => lineCount(text))
    .sort((one, other) => one - other);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
};

if (import.meta.main) {
  const files = readSources();
  const faults = checkFiles(files);
  for (const fault of faults) console.error(fault);
  console.log(`${files.size} files, median ${medianLines(files)} lines, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
