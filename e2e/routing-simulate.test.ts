import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { findEmbeddedPostgres } from '#server/storage/embedded.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { spawnProcess, toDatabaseUrl } from './start-process.ts';

const root = path.join(import.meta.dirname, '..');
const MINUTE = 60_000;

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs the CLI as a user would. */
const parley = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const settings = { PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`, ...env };
    execFile('npm', ['run', '--silent', 'parley', '--', ...args], { cwd: root, env: settings }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

it('parley prints help and rejects unknown options', async () => {
  expect(await parley(['help'])).toMatchObject({ code: 0, out: expect.stringContaining('routing simulate'), err: '' });
  expect(await parley(['routing', 'simulate', '--color', 'red'])).toMatchObject({
    ...{ code: 2, out: '' },
    err: expect.stringContaining("Unknown option '--color'"),
  });
});

describe('routing simulate', () => {
  let app: TestApp;
  let shop: TestOrganization;
  let folder: string;
  const simulate = (...args: string[]) =>
    parley(['routing', 'simulate', '--organization', shop.id, '--from', '2026-03-02', '--to', '2026-03-02', ...args], {
      DATABASE_URL: toDatabaseUrl(app.connection),
    });

  // One agent with a limit of one chat. The first chat takes half an hour, the second waits for it, the third leaves after five minutes.
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-simulate-'));
    app = await startTestApp();
    shop = await buildOrganization(app);
    await shop.scope.update('agents').set({ maxChatsCount: 1 }).execute();
    const arrive = async () => {
      const customer = await buildCustomer(shop);
      const { chatId } = await buildChat(shop, customer, { texts: ['Hello'] });
      return () => deactivateChat(customerScope(shop, customer), { chatId });
    };
    const end = [await arrive()];
    app.clock.advance(10 * MINUTE);
    end.push(await arrive());
    app.clock.advance(5 * MINUTE);
    end.push(await arrive());
    app.clock.advance(5 * MINUTE);
    await end[2]!();
    app.clock.advance(10 * MINUTE);
    await end[0]!();
    app.clock.advance(30 * MINUTE);
    await end[1]!();
  });

  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('replays the recorded chats and simulates another limit', async () => {
    const { code, out, err } = await simulate('--limit', '2', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { actual, replayed, changed } = JSON.parse(out);
    expect(actual.all).toEqual({
      ...{ chats: 3, answered: 2, queued: 2, left: 1, refused: 0, waiting: 0 },
      wait: { p50: 0, p90: 20 * MINUTE, max: 20 * MINUTE, average: 10 * MINUTE },
    });
    expect(replayed).toEqual(actual);
    expect(changed.all).toMatchObject({ answered: 2, queued: 1, left: 1, wait: { max: 0 } });
  });

  it('prints a readable report', async () => {
    const { out } = await simulate('--agents', '+1');
    expect(out).toMatch(/Routing of Test shop, 2026-03-02 00:00 to 2026-03-03 00:00 \(UTC\)/);
    expect(out).toMatch(/^queued +2 +2 +1$/m);
    expect(out).toMatch(/^left the queue +1 +1 +1$/m);
    expect(out).toMatch(/^longest wait +20:00 +20:00 +0:00$/m);
    expect(out).toMatch(/^added-1 /m);
  });

  it('accepts schedules from a file', async () => {
    const file = path.join(folder, 'schedule.json');
    writeFileSync(file, JSON.stringify({ monday: { start: '10:05', end: '12:00' } }));
    const { out } = await simulate('--schedule', file, '--json');
    // The first chat finds no agent, so the second is answered immediately and the third leaves the queue unanswered.
    expect(JSON.parse(out).changed.all).toMatchObject({ chats: 3, refused: 1, answered: 1, left: 1 });
    writeFileSync(file, JSON.stringify({ 'nobody@shop.test': { monday: { start: '10:05', end: '12:00' } } }));
    expect(await simulate('--schedule', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('No agent'),
    });
    writeFileSync(file, JSON.stringify({ monday: { start: '10h', end: '12:00' } }));
    expect(await simulate('--schedule', file)).toMatchObject({ code: 2, err: expect.stringContaining('monday.start') });
  });

  it('finds an organization by name and reports an unknown name', async () => {
    const env = { DATABASE_URL: toDatabaseUrl(app.connection) };
    const simulateFor = (name: string) =>
      parley(['routing', 'simulate', '--organization', name, '--from', '2026-03-02', '--to', '2026-03-02'], env);
    expect(await simulateFor('TEST SHOP')).toMatchObject({ code: 0 });
    expect(await simulateFor('Other shop')).toMatchObject({
      code: 2,
      err: expect.stringContaining('No organization'),
    });
  });
});

it('routing simulate reads the embedded database with and without a running server', async () => {
  const server = spawnProcess({ DEMO: '1' });
  const env = { DATA_DIR: server.dataDir };
  const simulateFor = () => {
    const today = new Date().toISOString().slice(0, 10);
    return parley(['routing', 'simulate', '--organization', 'demo shop', '--from', '2020-01-01', '--to', today], env);
  };
  try {
    await server.waitForOutput(/ready at (\S+)/);
    expect(await simulateFor()).toMatchObject({ code: 0, err: '' });
    server.signal('SIGTERM');
    await server.ended;
    expect(await simulateFor()).toMatchObject({ code: 0, err: '' });
    expect(await findEmbeddedPostgres(server.dataDir)).toBeUndefined();
  } finally {
    server.signal('SIGKILL');
    await server.ended;
    server.remove();
  }
  expect(await simulateFor()).toMatchObject({ code: 1, err: expect.stringContaining('No database') });
});
