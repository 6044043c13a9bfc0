import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { buildTwoFactorDevice } from '#server/testing/builders/two-factor.ts';
import { runCommand } from './dispatch.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-login-link-'));
const test = useTestApp();
let shop: TestOrganization;
beforeAll(async () => {
  // The command uses the system clock.
  test.clock.advance(Date.now() - test.clock.now().getTime());
  shop = await buildOrganization(test);
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
});

const createLink = async (...args: string[]) => {
  const { host, port, user, password, database } = test.connection;
  const login = password ? `${user}:${String(password)}` : user;
  const env = {
    DATABASE_URL: `postgres://${login}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`,
    ...{ DATA_DIR: dataDir, SECRET_KEY: 'secret-key-for-tests-only', PUBLIC_URL: 'http://parley.test' },
  };
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const code = await runCommand(['agents', 'login-link', ...args], {
    env,
    cwd: '/',
    print: push,
    reportProgress: push,
  });
  return { code, text: lines.join('\n') };
};
const enter = async (link: string): Promise<number> => {
  const token = /^http:\/\/parley\.test\/console\/first-run\?token=([\w-]+)$/.exec(link)![1];
  return (await test.app.inject({ method: 'POST', url: '/signin/link', payload: { token } })).statusCode;
};

it('prints a link that signs in once', async () => {
  const { code, text } = await createLink(shop.owner.login.toUpperCase());
  expect(code).toBe(0);
  expect([await enter(text), await enter(text)]).toEqual([200, 404]);
});

it('keeps two-factor authentication unless --reset-2fa is given', async () => {
  const { login } = await buildAgent(shop);
  await buildTwoFactorDevice(shop.scope, login);
  expect(await enter((await createLink(login)).text)).toBe(202);
  expect(await enter((await createLink(login, '--reset-2fa')).text)).toBe(200);
  const payload = { login, password: 'a long password' };
  expect((await test.app.inject({ method: 'POST', url: '/signin', payload })).statusCode).toBe(200);
});

it('rejects invalid arguments and asks for the organization if several match', async () => {
  const login = `busy-${randomUUID()}@shop.test`;
  const other = await buildOrganization(test);
  for (const organization of [shop, other]) await buildAgent(organization, { login });
  const unsure = await createLink(login);
  expect([unsure.code, unsure.text.includes(other.id)]).toEqual([2, true]);
  expect(await createLink(login, '--organization', other.id)).toMatchObject({ code: 0 });
  for (const args of [[], ['nobody@shop.test'], [login, '--organization', randomUUID()], ['a', 'b'], ['a', '--x']])
    expect(await createLink(...args)).toMatchObject({ code: 2 });
});
