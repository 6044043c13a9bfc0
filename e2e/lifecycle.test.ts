import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { type CallFailedError, createClient } from '#contracts/client.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { OPERATOR_TOKEN, type StartingProcess, spawnProcess, toDatabaseUrl } from './start-process.ts';

// Each test creates a PostgreSQL cluster, and some start twice.

const READY = /ready at (\S+)/;
const WAIT_OPTIONS = { timeout: 60_000 };

const processes: StartingProcess[] = [];
afterEach(async () => {
  for (const one of processes.splice(0)) {
    one.signal('SIGTERM');
    await one.ended;
    one.remove();
  }
});

const start = (env: Record<string, string> = {}, dataDir?: string): StartingProcess => {
  const started = spawnProcess(env, dataDir);
  processes.push(started);
  return started;
};

const urlOf = async (started: StartingProcess): Promise<string> => (await started.waitForOutput(READY))[1]!;

const postmasterOf = ({ dataDir }: StartingProcess): number =>
  Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

const connectTo = async ({ dataDir }: StartingProcess): Promise<pg.Client> => {
  const client = new pg.Client({ host: path.join(dataDir, 'postgres-socket'), user: 'parley' });
  client.on('error', () => {});
  await client.connect();
  return client;
};

const createShop = (url: string, name: string) =>
  createClient({ baseUrl: url, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })(createOrganization, {
    body: { name, owner: { login: 'olga@shop.test', name: 'Olga', password: 'a long password' } },
  });

it('the server stops cleanly during startup and keeps the credentials of the demo organization', async () => {
  const first = start({ DEMO: '1' });
  await first.waitForOutput(/Creating a demo shop/);
  // The demo organization exists once its credentials do; its chats have not been created yet.
  await vi.waitUntil(() => existsSync(path.join(first.dataDir, 'demo.json')), WAIT_OPTIONS);
  first.signal('SIGINT');
  const { code, output } = await first.ended;
  expect(output).toMatch(/Stopping \(SIGINT\) …\nStopped\.\n$/);
  expect({ code, isReady: READY.test(output) }).toEqual({ code: 0, isReady: false });
  expect(existsSync(path.join(first.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

  const url = await urlOf(start({ DEMO: '1' }, first.dataDir));
  const { login, api_key } = JSON.parse(readFileSync(path.join(first.dataDir, 'demo.json'), 'utf8'));
  const answer = await fetch(`${url}/v3.5/agent/action/get_chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: 'none' }),
  });
  expect(login).toBe('marta@shop.example');
  expect(answer.status).not.toBe(401);
});

it('the server restarts its embedded database after a crash without losing acknowledged writes', async () => {
  const server = start();
  const url = await urlOf(server);
  const acknowledged: string[] = [];
  const errorStatuses: number[] = [];
  let isDone = false;
  const write = async (): Promise<void> => {
    while (!isDone) {
      try {
        acknowledged.push((await createShop(url, 'Shop')).organization_id);
      } catch (error) {
        errorStatuses.push((error as CallFailedError).status);
      }
    }
  };
  const writers = Array.from({ length: 4 }, write);
  await vi.waitUntil(() => acknowledged.length > 8, WAIT_OPTIONS);
  const killed = postmasterOf(server);
  process.kill(killed, 'SIGKILL');
  await server.waitForOutput(/Database stopped: it ended with SIGKILL\. Restarting …/);
  await server.waitForOutput(/Database restarted\./);
  const before = acknowledged.length;
  await vi.waitUntil(() => acknowledged.length > before + 8, WAIT_OPTIONS);
  isDone = true;
  await Promise.all(writers);

  expect(postmasterOf(server)).not.toBe(killed);
  expect(new Set(errorStatuses)).toEqual(new Set([503]));
  const client = await connectTo(server);
  const { rows } = await client.query('select id from organizations');
  await client.end();
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
});

interface HealthRequest {
  url: string;
  agent: Agent;
}

/** The status of one request, or the code of its error. */
const requestHealth = ({ url, agent }: HealthRequest): Promise<string> =>
  new Promise((resolve) => {
    request(`${url}/health/live`, { agent }, (response) => {
      json(response).then(
        () => resolve(`${response.statusCode}`),
        () => resolve('cut'),
      );
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });

it('the server answers every request that was sent before it stopped', async () => {
  const server = start({ DATABASE_URL: toDatabaseUrl(await createTestDatabase()) });
  const url = await urlOf(server);
  const outcomes = new Map<string, number>();
  const loop = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let last = '200'; last === '200'; ) {
      last = await requestHealth({ url, agent });
      outcomes.set(last, (outcomes.get(last) ?? 0) + 1);
    }
    agent.destroy();
  };
  const loops = Array.from({ length: 30 }, loop);
  await vi.waitUntil(() => (outcomes.get('200') ?? 0) > 300, WAIT_OPTIONS);
  server.signal('SIGTERM');
  await Promise.all(loops);
  expect([...outcomes.keys()].toSorted()).toEqual(['200', 'ECONNREFUSED']);
  expect((await server.ended).code).toBe(0);
});

it('the server aborts statements that exceed the shutdown timeout and stops its database', async () => {
  const server = start();
  const url = await urlOf(server);
  const client = await connectTo(server);
  await client.query('begin; lock table organizations in access exclusive mode');
  const waiting = createShop(url, 'Late').catch((error: unknown) => error);
  await vi.waitUntil(
    async () => (await client.query('select from pg_locks where not granted')).rows.length > 0,
    WAIT_OPTIONS,
  );
  server.signal('SIGTERM');
  expect(await waiting).toBeInstanceOf(Error);
  const { code, output } = await server.ended;
  // Logged by the shutdown itself, before the hard limit of ten seconds would end the process silently.
  expect(output).toContain('requests: 1 requests were not answered in time');
  expect(code).toBe(1);
  expect(existsSync(path.join(server.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});
