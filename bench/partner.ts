import { parseArgs } from 'node:util';
import { percentile } from './http-load.ts';
import { type Dataset, openDataset } from './partner-dataset.ts';

/**
 * `npm run bench -- partner [--keep folder] [--only text]`: reads of the partner API in a program of a thousand partners, compared
 * to the same partners without any others. `--keep` keeps the seeded data in a folder and reuses it in the next run.
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
/** The maximum ratio of the time with a thousand other partners to the time without them. */
const MAX_GROWTH = 1.5;

const daysAgo = (days: number): string => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
const MONTH = `date_from=${daysAgo(31)}&date_to=${daysAgo(1)}`;
const YEAR = `date_from=${daysAgo(365)}&date_to=${daysAgo(0)}`;
/** A range that starts and ends within a day. */
const PARTIAL_DAYS = `date_from=${daysAgo(40)}T13:00:00Z&date_to=${daysAgo(2)}T17:30:00Z`;
const METRICS = ['clicks', 'trials', 'conversions', 'earnings'];

const requests: Record<string, string> = {
  earnings: '/earnings',
  balance: '/balance',
  stats: '/stats',
  summary: '/affiliates/summary',
  performance: '/affiliates/performance',
  'performance, a month': `/affiliates/performance?${MONTH}`,
  'performance, a year': `/affiliates/performance?${YEAR}`,
  'performance, partial days': `/affiliates/performance?${PARTIAL_DAYS}`,
  ...Object.fromEntries(
    METRICS.flatMap((name) => [
      [`report of ${name} by month`, `/affiliates/reports/${name}?${YEAR}&aggregation=month`],
      [`best campaigns by ${name}`, `/affiliates/campaigns/best-performing/reports/${name}?limit=10`],
      [`metric of ${name}, partial days`, `/affiliates/metrics/${name}?${PARTIAL_DAYS}`],
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

const timeRequest = async (url: string, token: string): Promise<number> => {
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body}`);
  return performance.now() - start;
};

/** Requests alternate between both datasets, so that other load on the machine affects both alike. */
const measure = async (datasets: Dataset[], path: string, partner: keyof Dataset['tokens']): Promise<Measured[]> => {
  const latencies = datasets.map((): number[] => []);
  for (let n = 0; n < WARM_UPS + REQUESTS; n++)
    for (const [index, { server, tokens }] of datasets.entries()) {
      const latency = await timeRequest(`${server.url}/v2/partners${path}`, tokens[partner]);
      if (n >= WARM_UPS) latencies[index]!.push(latency);
    }
  return latencies.map((values) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) }));
};

const compareToGoal = ({ p50 }: Measured, growth: number): string => {
  const missed = [...(p50 > GOAL_MS ? [`above ${GOAL_MS} ms`] : []), ...(growth > MAX_GROWTH ? ['grows'] : [])];
  return missed.length > 0 ? missed.join(', ') : 'met';
};

export const run = async (): Promise<void> => {
  const datasets: Dataset[] = [];
  try {
    for (const isolated of [true, false]) {
      const log = (line: string) => console.log(`${isolated ? 'isolated' : 'all'}: ${line}`);
      datasets.push(await openDataset({ ...PROGRAM_SIZE, isolated, log }, options.keep));
    }
    if (options['seed-only']) return;
    for (const partner of ['large', 'typical'] as const) {
      const rows: Record<string, Record<string, string>> = {};
      for (const [name, path] of Object.entries(requests).filter(([key]) => key.includes(options.only))) {
        const [isolated, all] = (await measure(datasets, path, partner)) as [Measured, Measured];
        const growth = all.p50 / isolated.p50;
        rows[name] = {
          'p50 ms': all.p50.toFixed(1),
          'p99 ms': all.p99.toFixed(1),
          'p50 ms, isolated': isolated.p50.toFixed(1),
          'ratio to isolated': growth.toFixed(2),
          goal: compareToGoal(all, growth),
        };
      }
      console.log(partner === 'large' ? 'Partner with 5 % of all data:' : 'Typical partner:');
      console.table(rows);
    }
  } finally {
    for (const { close } of datasets) await close();
  }
};
