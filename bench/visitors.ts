import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type BenchOrganization, makeOrganization } from './arrange.ts';
import { percentile } from './http-load.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { measureInserts } from './visitors-ceiling.ts';
import { type Crowd, gatherCrowd } from './visitors-crowd.ts';

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

/** What PostgreSQL itself counted: transactions, and rows written. */
const readCounts = async (client: pg.Client): Promise<Counts> => {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<Counts>(`
    select xact_commit::float8 as commits, (tup_inserted + tup_updated + tup_deleted)::float8 as rows
    from pg_stat_database where datname = current_database()`);
  return rows[0]!;
};

const until = async (holds: () => Promise<boolean>, maxMs: number): Promise<number> => {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > maxMs) throw new Error(`not within ${maxMs / 1000} s`);
    await delay(250);
  }
  return (performance.now() - from) / 1000;
};

/** An agent who takes chats, and two greetings: one for a few pages, one for none. */
const arrange = async (server: ServerProcess, owner: BenchOrganization, client: pg.Client): Promise<string> => {
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

/** An installation that has had visitors before: PostgreSQL has been told of its tables. */
const warmUp = async (crowd: Crowd, client: pg.Client): Promise<void> => {
  crowd.arrive(2_000);
  await until(async () => {
    const known = await client.query(`select reltuples >= 200 as known from pg_class where relname = 'visits'`);
    return known.rows[0].known;
  }, 30_000);
  await crowd.leave(() => true);
};

const measureSteady = async (server: ServerProcess, client: pg.Client, crowd: Crowd): Promise<void> => {
  crowd.take();
  const [cpu, before, from] = [server.cpuSeconds(), await readCounts(client), performance.now()];
  await delay(STEADY_MS);
  const seconds = (performance.now() - from) / 1000;
  const used = (server.cpuSeconds() - cpu) / seconds;
  const after = await readCounts(client);
  const { page, look, greeting, beat } = crowd.take();
  const words = page.length + look.length + greeting.length + beat.length;
  const perSecond = (count: number): string => (count / seconds).toFixed(0);
  console.log(
    `while they stay       ${perSecond(words)} words a second, ${(used * 100).toFixed(0)} % of one processor, ` +
      `${perSecond(after.rows - before.rows)} rows in ${perSecond(after.commits - before.commits)} transactions a second`,
  );
  console.log(`  a beat              ${show(beat)}`);
  console.log(`  a page              ${show(page)}`);
  console.log(`  and its greeting    ${show(look)} when none fits, ${show(greeting)} when one is shown`);
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

/** Most say good-bye; of the others nothing is heard any more. */
const measureLeaving = async (crowd: Crowd, client: pg.Client, url: string, authorization: string): Promise<void> => {
  const count = async (): Promise<number> => (await fetch(`${url}?count=1`, { headers: { authorization } })).json();
  const polite = (at: number): boolean => at % 5 > 0;
  await crowd.leave(polite);
  const silent = VISITORS / 5;
  const good = await until(async () => (await count()) <= silent, 20_000);
  const rest = await until(async () => (await count()) === 0, 60_000);
  const ended = await until(async () => {
    const { rows } = await client.query('select count(*)::int as open from visits where ended_at is null');
    return rows[0].open === 0;
  }, 60_000);
  console.log(
    `when they leave       gone from the list after ${good.toFixed(1)} s with a good-bye and ${(good + rest).toFixed(1)} s ` +
      `without, all visits ended after ${(good + rest + ended).toFixed(1)} s`,
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
    const authorization = await arrange(server, owner, client);
    const { rows } = await client.query<{ number: string }>('select license_number as number from organizations');
    const license = Number(rows[0]!.number);
    const endpoint = new URL('/tracking/beacon', server.url);
    await warmUp(gatherCrowd(endpoint, license, FIRST_VISITORS), client);
    const megabytes = (): number => server.residentBytes() / MIB;
    const cold = megabytes();

    const crowd = gatherCrowd(endpoint, license, VISITORS);
    console.log(`${VISITORS} visitors arrive within ${ARRIVE_MS / 1000} s …`);
    const cpu = server.cpuSeconds();
    crowd.arrive(ARRIVE_MS);
    await delay(ARRIVE_MS + 2_000);
    const { page, look, greeting } = crowd.take();
    const used = (server.cpuSeconds() - cpu) / (ARRIVE_MS / 1000);
    console.log(
      `while they arrive     ${show([...page, ...look, ...greeting])}, ${(used * 100).toFixed(0)} % of one processor`,
    );
    await measureSteady(server, client, crowd);
    console.log(
      `server memory         ${megabytes().toFixed(0)} MiB, ${(megabytes() - cold).toFixed(0)} more than before`,
    );
    await measureLists(`${server.url}/visitors`, authorization);
    await measureLeaving(crowd, client, `${server.url}/visitors`, authorization);
    const capacity = await crowd.flood(FLOOD_CONNECTIONS, FLOOD_MS);
    const ceiling = await measureInserts(client, owner.id, CEILING_MS);
    console.log(
      `at most               ${capacity.toFixed(0)} new visitors a second, ${((capacity / ceiling) * 100).toFixed(0)} % of ` +
        `${ceiling.toFixed(0)} bare rows of customer, visit and page by the hundred`,
    );
    console.log(`failed                ${crowd.failures()}`);
  } finally {
    await client.end().catch(() => {});
    await server.stop();
  }
};
