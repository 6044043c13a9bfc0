import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type LoadResult, percentile } from './http-load.ts';
import type { LoadTask } from './http-load-process.ts';
import { seedChats } from './seed-chats.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchChat, makeChats, makeOrganization } from './setup.ts';
import { runTask } from './task-process.ts';

const SIZES = [1_000, 100_000];
const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_UP_SECONDS = 0.3;
const SECONDS = 1;
/** The number of database connections that the server opens. */
const MAX_CONNECTIONS = 20;
const BARE = 'bare Fastify, one primary-key select';

interface Measured {
  perSecond: number;
  p99: number;
  failures: number;
}

interface Dataset {
  chats: number;
  server: ServerProcess;
  customers: BenchChat[];
  bareUrl: string;
  close(): Promise<void>;
}

export const startBareServer = async (connection: pg.ClientConfig): Promise<{ url: string; stop(): Promise<void> }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-select.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      CONNECTION: JSON.stringify(connection),
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let output = '';
  while (!output.includes('\n')) {
    const [chunk] = (await once(child.stderr, 'data')) as [Buffer];
    output += chunk.toString();
  }
  return {
    url: /ready at (\S+)/.exec(output)![1]!,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const openDataset = async (chats: number): Promise<Dataset> => {
  const server = await startServerProcess();
  try {
    const organization = await makeOrganization(server);
    const created = await makeChats(server, organization, CONNECTIONS);
    const host = path.join(server.dataDir, 'postgres-socket');
    const connection = { host, port: 5432, user: 'parley', database: 'parley' };
    const client = new pg.Client(connection);
    await client.connect();
    const customerIds = created.map(({ customerId }) => customerId);
    const chatByCustomer = await seedChats(client, { organizationId: organization.id, customerIds, chats });
    const customers = created.map((customer) => ({ ...customer, chatId: chatByCustomer.get(customer.customerId)! }));
    await client.end();
    const bare = await startBareServer(connection);
    const close = async () => {
      await bare.stop();
      await server.stop();
    };
    return { chats, server, customers, bareUrl: bare.url, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

type Request = LoadTask['requests'][number];

const post =
  (operation: string, body: (customer: BenchChat) => object) =>
  (dataset: Dataset, customer: BenchChat): Request => ({
    url: `${dataset.server.url}/v3.5/customer/action/${operation}?organization_id=${customer.organizationId}`,
    headers: { Authorization: `Bearer ${customer.token}` },
    body: JSON.stringify(body(customer)),
  });

const requests: Record<string, (dataset: Dataset, customer: BenchChat) => Request> = {
  [BARE]: ({ bareUrl }, { organizationId, chatId }) => ({
    method: 'GET',
    url: `${bareUrl}/chat?organization_id=${organizationId}&id=${chatId}`,
    headers: {},
    body: '',
  }),
  list_chats: post('list_chats', () => ({})),
  list_threads: post('list_threads', ({ chatId }) => ({ chat_id: chatId })),
  get_chat: post('get_chat', ({ chatId }) => ({ chat_id: chatId })),
  get_dynamic_configuration: ({ server }, { organizationId, token }) => ({
    method: 'GET',
    url: `${server.url}/v3.5/customer/action/get_dynamic_configuration?organization_id=${organizationId}&url=https%3A%2F%2Fshop.test%2F`,
    headers: { Authorization: `Bearer ${token}` },
    body: '',
  }),
};

const measure = async (
  dataset: Dataset,
  request: (dataset: Dataset, customer: BenchChat) => Request,
): Promise<Measured> => {
  const {
    latencies,
    requests: count,
    seconds,
    failures,
  } = await runTask<LoadTask, LoadResult>('./http-load-process.ts', {
    requests: dataset.customers.map((customer) => request(dataset, customer)),
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: SECONDS,
  });
  return { perSecond: count / seconds, p99: percentile(latencies, 0.99), failures };
};

/** Returns the median of each value over all rounds. */
const median = (rounds: Measured[]): Measured => {
  const middle = (pick: (result: Measured) => number) =>
    rounds.map(pick).toSorted((a, b) => a - b)[rounds.length >> 1]!;
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    p99: middle(({ p99 }) => p99),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
};

const print = (datasets: Dataset[], results: Map<string, Measured>): void => {
  const [small, large] = datasets as [Dataset, Dataset];
  const resultOf = (name: string, dataset: Dataset): Measured => results.get(`${name} ${dataset.chats}`)!;
  const rows = Object.keys(requests).map((name) => {
    const columns = datasets.map((dataset) => {
      const { perSecond, p99, failures } = resultOf(name, dataset);
      const bare = resultOf(BARE, dataset);
      return {
        [`req/s, ${dataset.chats} chats`]: Math.round(perSecond),
        [`ratio, ${dataset.chats}`]: (perSecond / bare.perSecond).toFixed(2),
        [`p99 ms, ${dataset.chats}`]: p99.toFixed(1),
        [`p99 ratio, ${dataset.chats}`]: (p99 / bare.p99).toFixed(2),
        [`failures, ${dataset.chats}`]: failures,
      };
    });
    const growth = { 'p99 large to small': (resultOf(name, large).p99 / resultOf(name, small).p99).toFixed(2) };
    return [name, Object.assign({}, ...columns, growth)] as const;
  });
  console.table(Object.fromEntries(rows));
};

/**
 * Requests and datasets alternate, so that other load on the machine affects all of them alike. The first round is a warm-up:
 * a server that has just started is still compiling its code.
 */
export const run = async (): Promise<void> => {
  const datasets: Dataset[] = [];
  try {
    for (const chats of SIZES) datasets.push(await openDataset(chats));
    const rounds = new Map<string, Measured[]>();
    for (let round = 0; round <= ROUNDS; round++) {
      console.log(round === 0 ? 'warming up …' : `round ${round} of ${ROUNDS} …`);
      for (const [name, request] of Object.entries(requests)) {
        for (const dataset of datasets) {
          const key = `${name} ${dataset.chats}`;
          const measured = await measure(dataset, request);
          if (round > 0) rounds.set(key, [...(rounds.get(key) ?? []), measured]);
        }
      }
    }
    print(datasets, new Map([...rounds].map(([key, results]) => [key, median(results)])));
  } finally {
    for (const dataset of datasets) await dataset.close();
  }
};
