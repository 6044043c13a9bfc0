import { parseArgs } from 'node:util';
import { startBareServer } from './customer.ts';
import { percentile } from './http-load.ts';
import { type Dataset, openDataset } from './ops-dataset.ts';
import { type BenchRequest, benchRequests } from './ops-requests.ts';

/**
 * `npm run bench -- ops [chats] [--keep folder] [--only text]`: lists and reports of the operations API with a million chats,
 * compared to a tenth of them. `--keep` keeps the seeded data in a folder and reuses it in the next run. `--only` limits the
 * benchmark to requests whose name contains the text.
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
/** Slow requests are repeated fewer times: after this time, none is sent beyond MIN_REQUESTS. */
const TIME_BUDGET_MS = 4_000;
const MIN_REQUESTS = 8;
/** The maximum ratio of the time to the time with a tenth of the chats. */
const MAX_GROWTH = 1.5;

interface Measured {
  p50: number;
  p99: number;
}

type Send = (n: number) => Promise<Response>;

/** Sends requests to each sender in turn. */
const measure = async (senders: Send[]): Promise<Measured[]> => {
  const latencies = senders.map((): number[] => []);
  const until = performance.now() + TIME_BUDGET_MS * senders.length;
  for (let n = 0; n < WARM_UPS + REQUESTS; n++) {
    if (n >= WARM_UPS + MIN_REQUESTS && performance.now() > until) break;
    for (const [index, send] of senders.entries()) {
      const start = performance.now();
      const response = await send(n);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${response.url}: ${response.status} ${body}`);
      if (n >= WARM_UPS) latencies[index]!.push(performance.now() - start);
    }
  }
  return latencies.map((values) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) }));
};

const sendTo = ({ server, organization }: Dataset, { path }: BenchRequest): Send => {
  const basic = Buffer.from(`${organization.login}:${organization.apiKey}`).toString('base64');
  return (n) => fetch(`${server.url}${path(n)}`, { headers: { authorization: `Basic ${basic}` } });
};

/**
 * Requests whose times are compared alternate between both datasets, so that other load on the machine affects both alike. All
 * others are measured one dataset after the other, because alternating databases evict each other from the CPU cache.
 */
const measureDatasets = async (datasets: Dataset[], request: BenchRequest): Promise<[Measured, Measured]> => {
  const senders = datasets.map((dataset) => sendTo(dataset, request));
  if (request.isSteady) return (await measure(senders)) as [Measured, Measured];
  const measured: Measured[] = [];
  for (const send of senders) measured.push(...(await measure([send])));
  return measured as [Measured, Measured];
};

/** The ceiling: a bare server that selects one chat by its primary key from the same tables. */
const measureCeiling = async ({ connection, organization, chats }: Dataset): Promise<Measured> => {
  const bare = await startBareServer(connection);
  const id = (n: number): string => `S${String((n * 7919) % chats).padStart(9, '0')}`;
  try {
    const [measured] = await measure([(n) => fetch(`${bare.url}/chat?organization_id=${organization.id}&id=${id(n)}`)]);
    return measured!;
  } finally {
    await bare.stop();
  }
};

const compareToGoal = ({ goal, isSteady }: BenchRequest, { p50 }: Measured, growth: number): string => {
  if (goal === undefined) return '';
  const missed = [...(p50 > goal ? [`above ${goal} ms`] : []), ...(isSteady && growth > MAX_GROWTH ? ['grows'] : [])];
  return missed.length > 0 ? missed.join(', ') : `below ${goal} ms`;
};

export const run = async (): Promise<void> => {
  const datasets: Dataset[] = [];
  try {
    for (const chats of SIZES) datasets.push(await openDataset(chats, options.keep));
    const [smallDataset, largeDataset] = datasets as [Dataset, Dataset];
    const ceiling = await measureCeiling(largeDataset);
    console.log(
      `ceiling, one select by primary key: p50 ${ceiling.p50.toFixed(1)} ms, p99 ${ceiling.p99.toFixed(1)} ms`,
    );
    const rows: Record<string, Record<string, string>> = {};
    for (const request of benchRequests.filter(({ name }) => name.includes(options.only))) {
      const [small, large] = await measureDatasets(datasets, request);
      const growth = large.p50 / small.p50;
      console.log(`${request.name}: ${small.p50.toFixed(1)} ms, ${large.p50.toFixed(1)} ms`);
      rows[request.name] = {
        [`p50 ms, ${smallDataset.chats}`]: small.p50.toFixed(1),
        [`p99 ms, ${smallDataset.chats}`]: small.p99.toFixed(1),
        [`p50 ms, ${largeDataset.chats}`]: large.p50.toFixed(1),
        [`p99 ms, ${largeDataset.chats}`]: large.p99.toFixed(1),
        'ratio to ceiling': (large.p50 / ceiling.p50).toFixed(1),
        'large to small': growth.toFixed(2),
        goal: compareToGoal(request, large, growth),
      };
    }
    console.table(rows);
  } finally {
    for (const { close } of datasets) await close();
  }
};
