import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createClient } from '#contracts/client.ts';
import { createPartner } from '#contracts/operator/partners.ts';
import type { ClicksResult, ClicksTask } from './clicks-load.ts';
import { percentile } from './http-load.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { runTask } from './task-process.ts';

const PARTNERS = 40;
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 2;
const SECONDS = 6;
const ROUNDS = 3;
const KILLS = 3;
const MAX_LOSS_MS = 1_000;
/** How long counting all stored batches may take, including those that a killed server left. */
const COUNTING_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 250;
const GOAL = 0.7;

const load = (task: Pick<ClicksTask, 'url' | 'codes'> & Partial<ClicksTask>): Promise<ClicksResult> =>
  runTask<ClicksTask, ClicksResult>('./clicks-load.ts', {
    connections: CONNECTIONS,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: SECONDS,
    recordsVisitors: false,
    ...task,
  });

const startBareServer = async (): Promise<{ url: string; child: ChildProcess }> => {
  const script = fileURLToPath(new URL('./bare-redirect.ts', import.meta.url));
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  const [line] = (await once(child.stderr!, 'data')) as [Buffer];
  return { url: /ready at (\S+)/.exec(line.toString())![1]!, child };
};

/** Every partner has default links. */
const createLinks = async ({ url, operatorToken }: ServerProcess, client: pg.Client): Promise<string[]> => {
  const operator = createClient({ baseUrl: url, headers: { authorization: `Bearer ${operatorToken}` } });
  for (let at = 0; at < PARTNERS; at++) {
    const body = { login: `p${at}@bench.test`, password: 'a long password', first_name: 'P', last_name: String(at) };
    await operator(createPartner, { body });
  }
  const { rows } = await client.query<{ code: string }>('select code from campaigns');
  return rows.map(({ code }) => code);
};

const connectTo = async ({ dataDir }: ServerProcess): Promise<pg.Client> => {
  const host = path.join(dataDir, 'postgres-socket');
  const client = new pg.Client({ host, port: 5432, user: 'parley', database: 'parley' });
  await client.connect();
  return client;
};

interface Stored {
  counted: number;
  uncounted: number;
  /** Clicks in stored batches that have not been counted yet. */
  pending: number;
  rolledUp: number;
}

const countStored = async (client: pg.Client): Promise<Stored> => {
  const { rows } = await client.query<Stored>(`
    select (select count(*) from clicks)::int as counted, (select count(*) from uncounted_clicks)::int as uncounted,
      (select coalesce(sum(json_array_length(clicks::json -> 'times')), 0) from click_batches)::int as pending,
      (select coalesce(sum(clicks), 0) from click_days)::int as "rolledUp"`);
  return rows[0]!;
};

/** Waits until all stored batches are counted, so that counting does not slow the next measurement. */
const waitForCounting = async (client: pg.Client): Promise<void> => {
  const end = performance.now() + COUNTING_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query('select 1 from click_batches limit 1');
    if (rows.length === 0) return;
    if (performance.now() > end) throw new Error('not all clicks were counted in time');
    await delay(POLL_INTERVAL_MS);
  }
};

const check = (holds: boolean, message: string): void => {
  if (holds) return;
  console.log(`FAILED: ${message}`);
  process.exitCode = 1;
};

const rate = ({ latencies, seconds }: ClicksResult): number => latencies.length / seconds;

const show = (name: string, result: ClicksResult): void =>
  console.log(
    `${name.padEnd(16)}${rate(result).toFixed(0).padStart(7)} per second   p50 ${percentile(result.latencies, 0.5).toFixed(1)} ms   p99 ${percentile(result.latencies, 0.99).toFixed(1)} ms`,
  );

const measure = async (server: ServerProcess, bareUrl: string, codes: string[], client: pg.Client): Promise<void> => {
  let sent = 0;
  const total = { bare: 0, ours: 0 };
  for (let round = 1; round <= ROUNDS; round++) {
    await waitForCounting(client);
    const bare = await load({ url: bareUrl, codes });
    const cpu = server.cpuSeconds();
    const ours = await load({ url: server.url, codes });
    const usedCpu = (server.cpuSeconds() - cpu) / (WARM_UP_SECONDS + SECONDS);
    show('bare redirect', bare);
    show('/go', ours);
    total.bare += rate(bare);
    total.ours += rate(ours);
    sent += ours.redirects;
    await delay(MAX_LOSS_MS);
    const { counted, uncounted, pending } = await countStored(client);
    console.log(
      `  ${(100 * usedCpu).toFixed(0)} % of one core, ${ours.failures} failures; sent so far ${sent}, stored ${counted} + ${uncounted} uncounted + ${pending} pending`,
    );
    check(sent === counted + uncounted + pending, 'every click must be stored exactly once');
  }
  console.log(`/go compared to a bare redirect: ${(total.ours / total.bare).toFixed(2)} (goal ${GOAL})`);
  await waitForCounting(client);
  const { counted, uncounted, rolledUp } = await countStored(client);
  console.log(`sent ${sent}, counted ${counted} + ${uncounted} uncounted, in daily rollups ${rolledUp}`);
  check(sent === counted + uncounted && rolledUp === counted, 'every click must be counted exactly once');
};

const SELECT_VISITORS = `
  select visitor_id as id from clicks union all select visitor_id from uncounted_clicks
  union all select v::uuid from click_batches k, json_array_elements_text(k.clicks::json -> 'visitors') v`;

const readVisitors = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ id: string }>(SELECT_VISITORS)).rows.map(({ id }) => id);

/** Kills the server under load and checks that every redirected click was recorded. */
const measureCrash = async (server: ServerProcess, codes: string[]): Promise<ServerProcess> => {
  const loading = load({ url: server.url, codes, warmUpSeconds: 0, seconds: 30, recordsVisitors: true });
  await delay(2_500 + Math.random() * 1_000);
  const killedAt = Date.now();
  await server.kill('SIGKILL');
  const { visitors } = await loading;
  const next = await server.restart();
  const client = await connectTo(next);
  const stored = new Set(await readVisitors(client));
  const lost = visitors.filter(([id]) => !stored.has(id)).map(([, at]) => killedAt - at);
  const tooOld = lost.filter((age) => age > MAX_LOSS_MS);
  console.log(
    `killed: ${visitors.length} redirects, ${lost.length} lost, the oldest ${lost.length > 0 ? Math.max(...lost) : 0} ms before the crash; ${tooOld.length} older than a second`,
  );
  check(tooOld.length === 0, 'clicks older than a second must not be lost');
  await waitForCounting(client);
  const counted = await readVisitors(client);
  const { counted: clicks, rolledUp } = await countStored(client);
  await client.end();
  console.log(`  counted after the restart: ${counted.length} of ${stored.size} stored, in daily rollups ${rolledUp}`);
  check(counted.length === stored.size && rolledUp === clicks, 'every stored click must be counted exactly once');
  return next;
};

export const run = async (): Promise<void> => {
  let server = await startServerProcess();
  const bare = await startBareServer();
  try {
    const client = await connectTo(server);
    const codes = await createLinks(server, client);
    await measure(server, bare.url, codes, client);
    await client.end();
    for (let kill = 0; kill < KILLS; kill++) server = await measureCrash(server, codes);
  } finally {
    bare.child.kill();
    await server.stop();
  }
};
