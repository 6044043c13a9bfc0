import { randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { makeOrganization } from './arrange.ts';
import { percentile } from './http-load.ts';
import { startServerProcess } from './server-process.ts';

const VISITORS = 5_000;
const ARRIVE_MS = 10_000;
const MEASURED_MS = 30_000;
const FIRST_VISITORS = 200;
const BEAT_MS = 20_000;
/** Of a visitor's words, how many are about another page. */
const PAGE_EVERY = 3;
const GREETED_SHARE = 0.02;
const MIB = 1024 * 1024;

interface Visitor {
  identity: { visitor_id: string; secret: string };
  words: number;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 });

/** Answers with the time it took. */
const post = (url: URL, text: string): Promise<{ ms: number; status: number; greeted: boolean }> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const headers = {
      'content-type': 'text/plain',
      'content-length': Buffer.byteLength(text),
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
    };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ ms: performance.now() - from, status: response.statusCode!, greeted: body.includes('"greeting"') }),
      );
    });
    request.on('error', reject);
    request.end(text);
  });

const call = async (url: string, method: string, authorization: string, body: object): Promise<void> => {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
};

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

export const run = async (): Promise<void> => {
  const server = await startServerProcess();
  const client = new pg.Client({
    host: path.join(server.dataDir, 'postgres-socket'),
    ...{ port: 5432, user: 'parley', database: 'parley' },
  });
  try {
    const owner = await makeOrganization(server);
    const basic = `Basic ${Buffer.from(`${owner.login}:${owner.apiKey}`).toString('base64')}`;
    await client.connect();
    const { rows } = await client.query<{ number: string }>('select licence_number as number from organizations');
    const license = Number(rows[0]!.number);
    await call(`${server.url}/agents/${owner.login}`, 'PUT', basic, { status: 'accepting chats' });
    for (const [name, value] of [
      ['Cart', '/cart-of-few'],
      ['Deep', '/never'],
    ] as const) {
      const rules = [
        { type: 'url_visited', operator: 'contains', value },
        { type: 'visits_number', operator: 'lower_than', value: '5' },
      ];
      await call(`${server.url}/greetings`, 'POST', basic, { name, rules });
    }
    await client.query(`update greetings set message = 'May we help?'`);

    const endpoint = new URL('/tracking/beacon', server.url);
    const visitors: Visitor[] = Array.from({ length: VISITORS }, () => ({
      identity: { visitor_id: randomUUID(), secret: randomBytes(24).toString('hex') },
      words: 0,
    }));
    const times = { view: [] as number[], beat: [] as number[], look: [] as number[] };
    let failures = 0;
    let greeted = 0;
    const speak = async (visitor: Visitor): Promise<void> => {
      const event = visitor.words % PAGE_EVERY === 0 ? 'view' : 'beat';
      const fewer = Math.random() < GREETED_SHARE;
      const url = `https://shop.example/${fewer ? 'cart-of-few' : 'shoes'}/${visitor.words}`;
      visitor.words += 1;
      const look = event === 'view';
      const page = { url, title: 'A page of the shop' };
      const body = { license, ...visitor.identity, event, page, look, language: 'en', timezone: 'Europe/Warsaw' };
      const answer = await post(endpoint, JSON.stringify(body)).catch(() => undefined);
      if (answer?.status !== 200) failures += 1;
      else {
        times[event].push(answer.ms);
        if (answer.greeted) {
          greeted += 1;
          times.look.push(answer.ms);
        }
      }
    };

    // A database that has been in use knows its tables; one that was empty a moment ago looks through them from end to end.
    for (const visitor of visitors.slice(0, FIRST_VISITORS)) await speak(visitor);
    await client.query('analyze');
    times.view.length = 0;
    const cold = server.residentBytes();
    console.log(`${VISITORS} visitors arrive within ${ARRIVE_MS / 1000} s …`);
    const timers: NodeJS.Timeout[] = [];
    for (const [at, visitor] of visitors.entries())
      timers.push(
        setTimeout(
          () => {
            void speak(visitor);
            timers.push(setInterval(() => void speak(visitor), BEAT_MS));
          },
          (at * ARRIVE_MS) / VISITORS,
        ),
      );
    await delay(ARRIVE_MS + 5_000);
    const arriving = { view: times.view.splice(0), beat: times.beat.splice(0) };
    const [cpu, counts, from] = [server.cpuSeconds(), await readCounts(client), performance.now()];
    await delay(MEASURED_MS);
    const seconds = (performance.now() - from) / 1000;
    const usedCpu = server.cpuSeconds() - cpu;
    const written = await readCounts(client);
    const beacons = times.view.length + times.beat.length;
    const listFrom = performance.now();
    const list = await fetch(`${server.url}/visitors`, { headers: { authorization: basic } });
    const listed = ((await list.json()) as unknown[]).length;
    const listMs = performance.now() - listFrom;
    for (const timer of timers) clearTimeout(timer);
    const show = (values: number[]) =>
      `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms`;
    console.log(`arriving              ${show(arriving.view)}`);
    console.log(`beacons per second    ${(beacons / seconds).toFixed(0)} (${failures} failed)`);
    console.log(`server processor      ${((usedCpu / seconds) * 100).toFixed(0)} % of one core`);
    console.log(
      `server memory         ${(server.residentBytes() / MIB).toFixed(0)} MiB (${(cold / MIB).toFixed(0)} before)`,
    );
    console.log(
      `writes per second     ${((written.rows - counts.rows) / seconds).toFixed(0)} rows in ${((written.commits - counts.commits) / seconds).toFixed(0)} transactions`,
    );
    console.log(`a page, with the look for greetings   ${show(times.view)}`);
    console.log(`a beat                                ${show(times.beat)}`);
    console.log(`greetings shown       ${greeted}${times.look.length > 0 ? `, answered in ${show(times.look)}` : ''}`);
    console.log(`GET /visitors         ${listed} visitors in ${listMs.toFixed(0)} ms`);
  } finally {
    await client.end().catch(() => {});
    agent.destroy();
    await server.stop();
  }
};
