import path from 'node:path';
import type { CeilingTask } from './append-ceiling.ts';
import { type LoadResult, percentile } from './http-load.ts';
import type { LoadTask } from './http-load-process.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchChat, makeChats, makeOrganization } from './setup.ts';
import { runTask } from './task-process.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const WARM_UP_SECONDS = 1.5;
const SECONDS = 5;
const TEXT = 'Hello, I would like to know when my order arrives, please.';

interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  cpuMicroseconds?: number;
  failures: number;
}

const summarize = (result: LoadResult, cpuSeconds?: number): Measured => ({
  perSecond: result.requests / result.seconds,
  p50: percentile(result.latencies, 0.5),
  p99: percentile(result.latencies, 0.99),
  failures: result.failures,
  ...(cpuSeconds === undefined
    ? {}
    : { cpuMicroseconds: (cpuSeconds * 1e6) / (result.requests * (1 + WARM_UP_SECONDS / SECONDS)) }),
});

const measureHttp = async (server: ServerProcess, chats: BenchChat[]): Promise<Measured> => {
  const cpuBefore = server.cpuSeconds();
  const result = await runTask<LoadTask, LoadResult>('./http-load-process.ts', {
    requests: chats.map(({ organizationId, token, chatId }) => ({
      url: `${server.url}/v3.5/customer/action/send_event?organization_id=${organizationId}`,
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ chat_id: chatId, event: { type: 'message', text: TEXT } }),
    })),
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: SECONDS,
  });
  return summarize(result, server.cpuSeconds() - cpuBefore);
};

const measureDatabase = async (server: ServerProcess, chats: BenchChat[]): Promise<Measured> =>
  summarize(
    await runTask<CeilingTask, LoadResult>('./append-ceiling.ts', {
      connection: {
        host: path.join(server.dataDir, 'postgres-socket'),
        port: 5432,
        user: 'parley',
        database: 'parley',
      },
      chats,
      text: TEXT,
      warmUpSeconds: WARM_UP_SECONDS,
      seconds: SECONDS,
    }),
  );

const median = (values: Measured[]): Measured =>
  values.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(values.length / 2)]!;

const print = (rows: Record<string, Measured>, ceiling: Measured): void => {
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, { perSecond, p50, p99, cpuMicroseconds, failures }]) => [
        name,
        {
          'events/s': Math.round(perSecond),
          'p50 ms': p50.toFixed(1),
          'p99 ms': p99.toFixed(1),
          'server CPU µs/event': cpuMicroseconds === undefined ? '' : Math.round(cpuMicroseconds),
          failures,
          'ratio to ceiling': (perSecond / ceiling.perSecond).toFixed(2),
        },
      ]),
    ),
  );
};

/** The three variants alternate, so that other load on the machine affects all of them alike. */
export const run = async (): Promise<void> => {
  const withLane = await startServerProcess();
  const withoutLane = await startServerProcess({ script: 'bench/serve-without-lane.ts' });
  try {
    const chats = await makeChats(withLane, await makeOrganization(withLane), CONNECTIONS);
    const plainChats = await makeChats(withoutLane, await makeOrganization(withoutLane), CONNECTIONS);
    const ceilings: Measured[] = [];
    const batched: Measured[] = [];
    const plain: Measured[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      console.log(`round ${round} of ${ROUNDS} …`);
      ceilings.push(await measureDatabase(withLane, chats));
      batched.push(await measureHttp(withLane, chats));
      plain.push(await measureHttp(withoutLane, plainChats));
    }
    const ceiling = median(ceilings);
    print(
      {
        'ceiling: 64 database clients': ceiling,
        'through HTTP': median(batched),
        'through HTTP, one statement per request': median(plain),
      },
      ceiling,
    );
    console.log(
      `append lane compared to one statement per request: ${(median(batched).perSecond / median(plain).perSecond).toFixed(2)} times`,
    );
  } finally {
    await withLane.stop();
    await withoutLane.stop();
  }
};
