import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { percentile } from './http-load.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchOrganization, makeOrganization } from './setup.ts';
import { type SimulatedVisitors, simulateVisitors } from './simulated-visitors.ts';
import { measureInserts } from './visitors-ceiling.ts';

const VISITORS = 5_000;
const FIRST_VISITORS = 300;
const ARRIVE_MS = 10_000;
const STEADY_MS = 30_000;
const LISTS = 9;
const FLOOD_CONNECTIONS = 200;
const FLOOD_MS = 6_000;
const CEILING_MS = 4_000;
const MIB = 1024 * 1024;

const show = (values: number[]): string =>
  values.length === 0
    ? 'none'
    : `p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`;

interface Counts {
  commits: number;
  rows: number;
}

/** Reads the PostgreSQL statistics of committed transactions and written rows. */
const readCounts = async (client: pg.Client): Promise<Counts> => {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<Counts>(`
    select xact_commit::float8 as commits, (tup_inserted + tup_updated + tup_deleted)::float8 as rows
    from pg_stat_database where datname = current_database()`);
  return rows[0]!;
};

const waitUntil = async (condition: () => Promise<boolean>, maxMs: number): Promise<number> => {
  const from = performance.now();
  while (!(await condition())) {
    if (performance.now() - from > maxMs) throw new Error(`condition not met within ${maxMs / 1000} s`);
    await delay(250);
  }
  return (performance.now() - from) / 1000;
};

/** Sets an agent to accepting chats and creates two greetings: one matches a few pages, one none. */
const setUp = async (server: ServerProcess, owner: BenchOrganization, client: pg.Client): Promise<string> => {
  const basic = `Basic ${Buffer.from(`${owner.login}:${owner.apiKey}`).toString('base64')}`;
  const call = async (method: string, at: string, body: object): Promise<void> => {
    const headers = { authorization: basic, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${at}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${await response.text()}`);
  };
  await call('PUT', `/agents/${owner.login}`, { status: 'accepting chats' });
  for (const [name, value] of [
    ['Cart', '/cart-of-few'],
    ['Deep', '/never'],
  ] as const) {
    const visits = { type: 'visits_number', operator: 'lower_than', value: '5' };
    await call('POST', '/greetings', { name, rules: [{ type: 'url_visited', operator: 'contains', value }, visits] });
  }
  await client.query(`update greetings set message = 'May we help?'`);
  return basic;
};

/** Sends visitors until PostgreSQL has statistics of its tables to plan with. */
const warmUp = async (visitors: SimulatedVisitors, client: pg.Client): Promise<void> => {
  visitors.arrive(2_000);
  await waitUntil(async () => {
    const { rows } = await client.query(`select reltuples >= 200 as ready from pg_class where relname = 'visits'`);
    return rows[0].ready;
  }, 30_000);
  await visitors.leave(() => true);
};

const measureSteady = async (server: ServerProcess, client: pg.Client, visitors: SimulatedVisitors): Promise<void> => {
  visitors.takeLatencies();
  const [cpu, before, from] = [server.cpuSeconds(), await readCounts(client), performance.now()];
  await delay(STEADY_MS);
  const seconds = (performance.now() - from) / 1000;
  const cpuShare = (server.cpuSeconds() - cpu) / seconds;
  const after = await readCounts(client);
  const { page, look, greeting, beat } = visitors.takeLatencies();
  const beacons = page.length + look.length + greeting.length + beat.length;
  const perSecond = (count: number): string => (count / seconds).toFixed(0);
  console.log(
    `while they browse     ${perSecond(beacons)} beacons per second, ${(cpuShare * 100).toFixed(0)} % of one core, ` +
      `${perSecond(after.rows - before.rows)} rows in ${perSecond(after.commits - before.commits)} transactions per second`,
  );
  console.log(`  heartbeat           ${show(beat)}`);
  console.log(`  page                ${show(page)}`);
  console.log(`  page with greeting  ${show(look)} without a match, ${show(greeting)} with a match`);
};

const measureLists = async (url: string, authorization: string): Promise<void> => {
  const times: number[] = [];
  let text = '';
  for (let n = 0; n < LISTS; n++) {
    const from = performance.now();
    text = await (await fetch(url, { headers: { authorization } })).text();
    times.push(performance.now() - from);
  }
  const { length } = JSON.parse(text) as unknown[];
  console.log(`GET /visitors         ${length} visitors, ${(text.length / MIB).toFixed(1)} MiB: ${show(times)}`);
};

/** Most visitors send a beacon when they leave; the others just stop sending heartbeats. */
const measureLeaving = async (
  visitors: SimulatedVisitors,
  client: pg.Client,
  url: string,
  authorization: string,
): Promise<void> => {
  const count = async (): Promise<number> => (await fetch(`${url}?count=1`, { headers: { authorization } })).json();
  const sendsLeave = (at: number): boolean => at % 5 > 0;
  await visitors.leave(sendsLeave);
  const withoutLeave = VISITORS / 5;
  const leaveSeconds = await waitUntil(async () => (await count()) <= withoutLeave, 20_000);
  const silentSeconds = await waitUntil(async () => (await count()) === 0, 60_000);
  const ended = await waitUntil(async () => {
    const { rows } = await client.query('select count(*)::int as open from visits where ended_at is null');
    return rows[0].open === 0;
  }, 60_000);
  console.log(
    `when they leave       removed from the list after ${leaveSeconds.toFixed(1)} s with a leave beacon and ${(leaveSeconds + silentSeconds).toFixed(1)} s ` +
      `without, all visits ended after ${(leaveSeconds + silentSeconds + ended).toFixed(1)} s`,
  );
};

export const run = async (): Promise<void> => {
  const server = await startServerProcess();
  const client = new pg.Client({
    host: path.join(server.dataDir, 'postgres-socket'),
    ...{ port: 5432, user: 'parley', database: 'parley' },
  });
  try {
    const owner = await makeOrganization(server);
    await client.connect();
    const authorization = await setUp(server, owner, client);
    const { rows } = await client.query<{ number: string }>('select license_number as number from organizations');
    const license = Number(rows[0]!.number);
    const endpoint = new URL('/tracking/beacon', server.url);
    await warmUp(simulateVisitors(endpoint, license, FIRST_VISITORS), client);
    const megabytes = (): number => server.residentBytes() / MIB;
    const megabytesBefore = megabytes();

    const visitors = simulateVisitors(endpoint, license, VISITORS);
    console.log(`${VISITORS} visitors arrive within ${ARRIVE_MS / 1000} s …`);
    const cpu = server.cpuSeconds();
    visitors.arrive(ARRIVE_MS);
    await delay(ARRIVE_MS + 2_000);
    const { page, look, greeting } = visitors.takeLatencies();
    const cpuShare = (server.cpuSeconds() - cpu) / (ARRIVE_MS / 1000);
    console.log(
      `while they arrive     ${show([...page, ...look, ...greeting])}, ${(cpuShare * 100).toFixed(0)} % of one core`,
    );
    await measureSteady(server, client, visitors);
    console.log(
      `server memory         ${megabytes().toFixed(0)} MiB, ${(megabytes() - megabytesBefore).toFixed(0)} more than before`,
    );
    await measureLists(`${server.url}/visitors`, authorization);
    await measureLeaving(visitors, client, `${server.url}/visitors`, authorization);
    const capacity = await visitors.flood(FLOOD_CONNECTIONS, FLOOD_MS);
    const ceiling = await measureInserts(client, owner.id, CEILING_MS);
    console.log(
      `capacity              ${capacity.toFixed(0)} new visitors per second, ${((capacity / ceiling) * 100).toFixed(0)} % of ` +
        `${ceiling.toFixed(0)} inserts of customer, visit and page in batches of a hundred`,
    );
    console.log(`failures              ${visitors.failures()}`);
  } finally {
    await client.end().catch(() => {});
    await server.stop();
  }
};
