import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { type MailServer, startMailServer } from '#server/testing/http/mail-server.ts';
import { runCommand } from './dispatch.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-mail-failed-'));
let mailServer: MailServer;
let test: TestApp;
let shop: TestOrganization;
beforeAll(async () => {
  mailServer = await startMailServer();
  test = await startTestApp({ config: { smtpUrl: mailServer.url } });
  // The command uses the system clock.
  test.clock.advance(Date.now() - test.clock.now().getTime());
  mailServer.answerWith(() => 550);
  shop = await buildOrganization(test);
  await test.runDueJobs();
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await mailServer[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

const run = async (...args: string[]) => {
  const { host, port, user, password, database } = test.connection;
  const login = password ? `${user}:${String(password)}` : user;
  const env = {
    DATABASE_URL: `postgres://${login}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`,
    ...{ DATA_DIR: dataDir, SECRET_KEY: 'secret-key-for-tests-only' },
  };
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const code = await runCommand(['mail', ...args], { env, cwd: '/', print: push, reportProgress: push });
  return { code, lines };
};

it('lists mails that could not be sent and sends them again', async () => {
  const { lines } = await run('failed');
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^[0-9a-f-]{36}  \\S+Z  welcome  ${shop.owner.login}  .*refused`)),
  ]);
  const id = lines[0]!.slice(0, 36);
  expect(await run('replay', id)).toEqual({ code: 0, lines: ['Queued 1 mail.'] });
  expect(await run('failed')).toEqual({ code: 0, lines: ['No failed mails.'] });
  test.clock.advance(60_000);
  await test.runDueJobs();
  expect(await run('replay', '--all')).toEqual({ code: 0, lines: ['Queued 1 mail.'] });
  mailServer.answerWith(() => 'accept');
  test.clock.advance(60_000);
  await test.runDueJobs();
  expect(mailServer.arrived.map(({ to }) => to)).toEqual([shop.owner.login]);
});

it('rejects invalid arguments', async () => {
  for (const args of [['failed', 'x'], ['replay'], ['replay', 'x', '--all'], ['replay', 'x'], ['replay', '--what']])
    expect(await run(...args)).toMatchObject({ code: 2 });
});
