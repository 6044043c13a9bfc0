import { afterAll, beforeAll, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { keepFacts } from '#server/domain/support/reports/keep-facts.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { runCommand } from './dispatch.ts';

let test: TestApp;
let shop: TestOrganization;
let other: TestOrganization;

const closeChat = async (organization: TestOrganization): Promise<void> => {
  const customer = await buildCustomer(organization);
  const { chatId } = await buildChat(organization, customer);
  await deactivateChat(customerScope(organization, customer), { chatId });
};

beforeAll(async () => {
  test = await startTestApp();
  shop = await buildOrganization(test);
  other = await buildOrganization(test);
  for (const organization of [shop, other]) {
    await closeChat(organization);
    await keepFacts(organization.scope, 1000);
    // Simulates a corrupted rollup.
    await organization.scope.update('chatRollups').set({ chats: 9 }).execute();
  }
});
afterAll(() => test[Symbol.asyncDispose]());

const rebuild = async (...args: string[]) => {
  const { host, port, user, password, database } = test.connection;
  const login = password ? `${user}:${String(password)}` : user;
  const env = { DATABASE_URL: `postgres://${login}@/${database}?host=${encodeURIComponent(host!)}&port=${port}` };
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const code = await runCommand(['reports', 'rebuild', ...args], { env, cwd: '/', print: push, reportProgress: push });
  return { code, lines };
};

const counted = async ({ scope }: TestOrganization): Promise<number[]> => {
  const rows = await scope.from('chatRollups').where('dimension', '=', '').select('chats').execute();
  return rows.map(({ chats }) => chats);
};

it('recomputes one organization, or all', async () => {
  expect(await rebuild('--organization', shop.id)).toMatchObject({
    code: 0,
    lines: expect.arrayContaining(['Test shop: 1 chat left', 'Recomputed the reports of 1 organization']),
  });
  expect([await counted(shop), await counted(other)]).toEqual([
    [1, 1, 1, 1],
    [9, 9, 9, 9],
  ]);
  expect(await rebuild()).toMatchObject({ code: 0 });
  expect(await counted(other)).toEqual([1, 1, 1, 1]);
});

it('rejects invalid arguments', async () => {
  expect(await rebuild('--colour', 'red')).toMatchObject({ code: 2 });
  expect(await rebuild('--organization', 'Nobody')).toMatchObject({ code: 2 });
});
