import { parseArgs } from 'node:util';
import { startBare } from './customer.ts';
import { percentile } from './http-load.ts';
import { type Asked, asked } from './ops-requests.ts';
import { openSide, type Side } from './ops-side.ts';

/**
 * `npm run bench -- ops [chats] [--keep folder]`: the lists and reports of the operations API on a million chats, and beside it
 * the same with a tenth of them. In a folder that is kept, a second run finds the chats of the first. With `--only <text>` just
 * what is named so.
 */
const { values: options, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { keep: { type: 'string' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
const CHATS = Number(positionals[0] ?? 1_000_000);
const SIZES = [CHATS / 10, CHATS];
const WARM_UPS = 3;
const REQUESTS = 40;
/** What is slow is asked less often. */
const MAX_MS = 4_000;
const MIN_REQUESTS = 8;
/** A month must not cost more than so many times what it costs with a tenth of the chats. */
const MAX_GROWTH = 1.5;

interface Measured {
  p50: number;
  p99: number;
}

type Ask = (n: number) => Promise<Response>;

/** Who is asked takes turns. */
const measure = async (asks: Ask[]): Promise<Measured[]> => {
  const latencies = asks.map((): number[] => []);
  const until = performance.now() + MAX_MS * asks.length;
  for (let n = 0; n < WARM_UPS + REQUESTS; n++) {
    if (n >= WARM_UPS + MIN_REQUESTS && performance.now() > until) break;
    for (const [who, ask] of asks.entries()) {
      const start = performance.now();
      const response = await ask(n);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${response.url}: ${response.status} ${body}`);
      if (n >= WARM_UPS) latencies[who]!.push(performance.now() - start);
    }
  }
  return latencies.map((some) => ({ p50: percentile(some, 0.5), p99: percentile(some, 0.99) }));
};

const askSide = ({ server, organization }: Side, { path }: Asked): Ask => {
  const basic = Buffer.from(`${organization.login}:${organization.apiKey}`).toString('base64');
  return (n) => fetch(`${server.url}${path(n)}`, { headers: { authorization: `Basic ${basic}` } });
};

/**
 * Where both sizes are held against each other they take turns, so that a busy moment of the machine touches them alike. All
 * else is asked one after the other: two databases in turns take each other's place in the processor's memory.
 */
const measureSides = async (sides: Side[], one: Asked): Promise<[Measured, Measured]> => {
  const asks = sides.map((side) => askSide(side, one));
  if (one.steady) return (await measure(asks)) as [Measured, Measured];
  const measured: Measured[] = [];
  for (const ask of asks) measured.push(...(await measure([ask])));
  return measured as [Measured, Measured];
};

/** The ceiling: a bare server that selects one chat by its primary key from the same tables. */
const measureCeiling = async ({ connection, organization, chats }: Side): Promise<Measured> => {
  const bare = await startBare(connection);
  const id = (n: number): string => `S${String((n * 7919) % chats).padStart(9, '0')}`;
  try {
    const [measured] = await measure([(n) => fetch(`${bare.url}/chat?organization_id=${organization.id}&id=${id(n)}`)]);
    return measured!;
  } finally {
    await bare.stop();
  }
};

const judge = ({ goal, steady }: Asked, { p50 }: Measured, growth: number): string => {
  if (goal === undefined) return '';
  const missed = [...(p50 > goal ? [`above ${goal} ms`] : []), ...(steady && growth > MAX_GROWTH ? ['grows'] : [])];
  return missed.length > 0 ? missed.join(', ') : `below ${goal} ms`;
};

export const run = async (): Promise<void> => {
  const sides: Side[] = [];
  try {
    for (const chats of SIZES) sides.push(await openSide(chats, options.keep));
    const [few, many] = sides as [Side, Side];
    const ceiling = await measureCeiling(many);
    console.log(`the ceiling, one row by its key: p50 ${ceiling.p50.toFixed(1)} ms, p99 ${ceiling.p99.toFixed(1)} ms`);
    const rows: Record<string, Record<string, string>> = {};
    for (const one of asked.filter(({ name }) => name.includes(options.only))) {
      const [small, large] = await measureSides(sides, one);
      const growth = large.p50 / small.p50;
      console.log(`${one.name}: ${small.p50.toFixed(1)} ms, ${large.p50.toFixed(1)} ms`);
      rows[one.name] = {
        [`p50 ms, ${few.chats}`]: small.p50.toFixed(1),
        [`p99 ms, ${few.chats}`]: small.p99.toFixed(1),
        [`p50 ms, ${many.chats}`]: large.p50.toFixed(1),
        [`p99 ms, ${many.chats}`]: large.p99.toFixed(1),
        'to the ceiling': (large.p50 / ceiling.p50).toFixed(1),
        'large to small': growth.toFixed(2),
        goal: judge(one, large, growth),
      };
    }
    console.table(rows);
  } finally {
    for (const { close } of sides) await close();
  }
};
