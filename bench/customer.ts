import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type BenchChat, makeChats, makeOrganization } from './arrange.ts';
import { type LoadResult, percentile } from './http-load.ts';
import type { LoadTask } from './http-load-process.ts';
import { seedChats } from './seed-chats.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { runTask } from './task-process.ts';

const SIZES = [1_000, 100_000];
const CONNECTIONS = 64;
const ROUNDS = 5;
const WARM_UP_SECONDS = 0.3;
const SECONDS = 1;
/** As many as the server opens. */
const MAX_CONNECTIONS = 20;
const BARE = 'bare Fastify, one primary-key select';

interface Measured {
  perSecond: number;
  p99: number;
  failures: number;
}

interface Side {
  chats: number;
  server: ServerProcess;
  customers: BenchChat[];
  bareUrl: string;
  close(): Promise<void>;
}

export const startBare = async (connection: pg.ClientConfig): Promise<{ url: string; stop(): Promise<void> }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-select.ts', import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      CONNECTION: JSON.stringify(connection),
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let said = '';
  while (!said.includes('\n')) {
    const [chunk] = (await once(child.stderr, 'data')) as [Buffer];
    said += chunk.toString();
  }
  return {
    url: /ready at (\S+)/.exec(said)![1]!,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const openSide = async (chats: number): Promise<Side> => {
  const server = await startServerProcess();
  try {
    const organization = await makeOrganization(server);
    const made = await makeChats(server, organization, CONNECTIONS);
    const host = path.join(server.dataDir, 'postgres-socket');
    const connection = { host, port: 5432, user: 'parley', database: 'parley' };
    const client = new pg.Client(connection);
    await client.connect();
    const customerIds = made.map(({ customerId }) => customerId);
    const chatOf = await seedChats(client, { organizationId: organization.id, customerIds, chats });
    const customers = made.map((customer) => ({ ...customer, chatId: chatOf.get(customer.customerId)! }));
    await client.end();
    const bare = await startBare(connection);
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
  (side: Side, customer: BenchChat): Request => ({
    url: `${side.server.url}/v3.5/customer/action/${operation}?organization_id=${customer.organizationId}`,
    headers: { Authorization: `Bearer ${customer.token}` },
    body: JSON.stringify(body(customer)),
  });

const requests: Record<string, (side: Side, customer: BenchChat) => Request> = {
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

const measure = async (side: Side, request: (side: Side, customer: BenchChat) => Request): Promise<Measured> => {
  const {
    latencies,
    requests: count,
    seconds,
    failures,
  } = await runTask<LoadTask, LoadResult>('./http-load-process.ts', {
    requests: side.customers.map((customer) => request(side, customer)),
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: SECONDS,
  });
  return { perSecond: count / seconds, p99: percentile(latencies, 0.99), failures };
};

/** The middle of each figure over the rounds. */
const median = (rounds: Measured[]): Measured => {
  const middle = (pick: (one: Measured) => number) => rounds.map(pick).toSorted((a, b) => a - b)[rounds.length >> 1]!;
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    p99: middle(({ p99 }) => p99),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
};

const print = (sides: Side[], results: Map<string, Measured>): void => {
  const [small, large] = sides as [Side, Side];
  const of = (name: string, side: Side): Measured => results.get(`${name} ${side.chats}`)!;
  const rows = Object.keys(requests).map((name) => {
    const columns = sides.map((side) => {
      const { perSecond, p99, failures } = of(name, side);
      const bare = of(BARE, side);
      return {
        [`req/s, ${side.chats} chats`]: Math.round(perSecond),
        [`ratio, ${side.chats}`]: (perSecond / bare.perSecond).toFixed(2),
        [`p99 ms, ${side.chats}`]: p99.toFixed(1),
        [`p99 ratio, ${side.chats}`]: (p99 / bare.p99).toFixed(2),
        [`failures, ${side.chats}`]: failures,
      };
    });
    const growth = { 'p99 large to small': (of(name, large).p99 / of(name, small).p99).toFixed(2) };
    return [name, Object.assign({}, ...columns, growth)] as const;
  });
  console.table(Object.fromEntries(rows));
};

/**
 * Everything takes turns, so that a busy moment of the machine touches all alike. The first turns do not count: a server
 * that was just started is still compiling what it is asked for.
 */
export const run = async (): Promise<void> => {
  const sides: Side[] = [];
  try {
    for (const chats of SIZES) sides.push(await openSide(chats));
    const rounds = new Map<string, Measured[]>();
    for (let round = 0; round <= ROUNDS; round++) {
      console.log(round === 0 ? 'warming up …' : `round ${round} of ${ROUNDS} …`);
      for (const [name, request] of Object.entries(requests)) {
        for (const side of sides) {
          const key = `${name} ${side.chats}`;
          const measured = await measure(side, request);
          if (round > 0) rounds.set(key, [...(rounds.get(key) ?? []), measured]);
        }
      }
    }
    print(sides, new Map([...rounds].map(([key, results]) => [key, median(results)])));
  } finally {
    for (const side of sides) await side.close();
  }
};
