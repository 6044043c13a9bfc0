import { parseArgs } from 'node:util';
import { percentile } from './http-load.ts';
import { openSide, type Side } from './partner-side.ts';

/**
 * `npm run bench -- partner [--keep folder] [--only text]`: what partners read, in a program of a thousand of them, and beside it the same
 * partners where nobody else is. In a folder that is kept, a second run finds the program of the first.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    'seed-only': { type: 'boolean', default: false },
  },
});

const PROGRAM_SIZE = { partners: 1_000, clicks: 2_000_000, licenses: 200_000, payments: 500_000 };
const WARM_UPS = 5;
const REQUESTS = 40;
const GOAL_MS = 30;
/** The maximum ratio of the time with a thousand other partners to the time alone. */
const MAX_GROWTH = 1.5;

const dayAgo = (days: number): string => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
const MONTH = `date_from=${dayAgo(31)}&date_to=${dayAgo(1)}`;
const YEAR = `date_from=${dayAgo(365)}&date_to=${dayAgo(0)}`;
/** A range that starts and ends within a day. */
const UNEVEN = `date_from=${dayAgo(40)}T13:00:00Z&date_to=${dayAgo(2)}T17:30:00Z`;
const NUMBERS = ['clicks', 'trials', 'conversions', 'earnings'];

const asked: Record<string, string> = {
  earnings: '/earnings',
  balance: '/balance',
  stats: '/stats',
  summary: '/affiliates/summary',
  performance: '/affiliates/performance',
  'performance, a month': `/affiliates/performance?${MONTH}`,
  'performance, a year': `/affiliates/performance?${YEAR}`,
  'performance, uneven': `/affiliates/performance?${UNEVEN}`,
  ...Object.fromEntries(
    NUMBERS.flatMap((name) => [
      [`report of ${name} by month`, `/affiliates/reports/${name}?${YEAR}&aggregation=month`],
      [`best campaigns by ${name}`, `/affiliates/campaigns/best-performing/reports/${name}?limit=10`],
      [`metric of ${name}, uneven`, `/affiliates/metrics/${name}?${UNEVEN}`],
    ]),
  ),
  'report of commission by month': `/reports/commission?${YEAR}&aggregation=month`,
  'report of commission by day': `/reports/commission?${YEAR}&aggregation=day`,
  'commission of referred partners by month': `/partners-referred/reports/commission?${YEAR}&aggregation=month`,
  'referred partners': '/affiliates/partners-referred',
  'licenses of a status, a page': `/affiliates/licenses/paid?${YEAR}`,
  'licenses, a month': `/affiliates/licenses?${MONTH}`,
  'campaigns, a page': '/affiliates/campaigns/search?state=active',
  'history (earlier)': '/affiliates/history',
};

interface Measured {
  p50: number;
  p99: number;
}

const ask = async (url: string, token: string): Promise<number> => {
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body}`);
  return performance.now() - start;
};

/** Both sides alternate, so that a busy moment of the machine affects both. */
const measure = async (sides: Side[], path: string, who: keyof Side['tokens']): Promise<Measured[]> => {
  const latencies = sides.map((): number[] => []);
  for (let n = 0; n < WARM_UPS + REQUESTS; n++)
    for (const [at, { server, tokens }] of sides.entries()) {
      const took = await ask(`${server.url}/v2/partners${path}`, tokens[who]);
      if (n >= WARM_UPS) latencies[at]!.push(took);
    }
  return latencies.map((some) => ({ p50: percentile(some, 0.5), p99: percentile(some, 0.99) }));
};

const judge = ({ p50 }: Measured, growth: number): string => {
  const missed = [...(p50 > GOAL_MS ? [`above ${GOAL_MS} ms`] : []), ...(growth > MAX_GROWTH ? ['grows'] : [])];
  return missed.length > 0 ? missed.join(', ') : 'met';
};

export const run = async (): Promise<void> => {
  const sides: Side[] = [];
  try {
    for (const alone of [true, false]) {
      const say = (line: string) => console.log(`${alone ? 'alone' : 'all'}: ${line}`);
      sides.push(await openSide({ ...PROGRAM_SIZE, alone, say }, options.keep));
    }
    if (options['seed-only']) return;
    for (const who of ['large', 'usual'] as const) {
      const rows: Record<string, Record<string, string>> = {};
      for (const [name, path] of Object.entries(asked).filter(([one]) => one.includes(options.only))) {
        const [alone, all] = (await measure(sides, path, who)) as [Measured, Measured];
        const growth = all.p50 / alone.p50;
        rows[name] = {
          'p50 ms': all.p50.toFixed(1),
          'p99 ms': all.p99.toFixed(1),
          'p50 ms, alone': alone.p50.toFixed(1),
          'all to alone': growth.toFixed(2),
          goal: judge(all, growth),
        };
      }
      console.log(who === 'large' ? 'The partner with a twentieth of everything:' : 'A usual partner:');
      console.table(rows);
    }
  } finally {
    for (const { close } of sides) await close();
  }
};
