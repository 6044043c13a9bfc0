import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { runCommand } from './dispatch.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-invitations-'));
const test = useTestApp({ config: { signUp: 'invite' } });
beforeAll(() => {
  // The command uses the system clock.
  test.clock.advance(Date.now() - test.clock.now().getTime());
});
afterAll(() => {
  rmSync(dataDir, { recursive: true });
});

const invite = async (...args: string[]) => {
  const { host, port, user, password, database } = test.connection;
  const login = password ? `${user}:${String(password)}` : user;
  const env = {
    DATABASE_URL: `postgres://${login}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`,
    ...{ DATA_DIR: dataDir, SECRET_KEY: 'secret-key-for-tests-only', PUBLIC_URL: 'http://parley.test' },
  };
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const terminal = { env, cwd: '/', print: push, reportProgress: push };
  const code = await runCommand(['invitations', 'create', ...args], terminal);
  return { code, text: lines.join('\n') };
};

it('prints a link with which the invited address signs up once', async () => {
  const { text } = await invite('organization', '--email', 'Nora@Shop.example');
  const invitation = /^http:\/\/parley\.test\/signup\?invitation=([\w-]{43})$/.exec(text)![1];
  const signUp = async (email: string) => {
    const payload = { email, name: 'Nora', password: 'a long password', organization: 'Corner shop', invitation };
    return (await test.app.inject({ method: 'POST', url: '/signup', payload })).statusCode;
  };
  const email = 'nora@shop.example';
  expect([await signUp('other@shop.example'), await signUp(email), await signUp(email)]).toEqual([400, 201, 400]);
  expect((await invite('partner')).text).toMatch(/\/join\?invitation=/);
});

it('rejects invalid arguments', async () => {
  for (const args of [[], ['agent'], ['partner', 'partner'], ['partner', '--x']])
    expect(await invite(...args)).toMatchObject({ code: 2 });
});
