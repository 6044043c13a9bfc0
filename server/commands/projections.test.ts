import { beforeAll, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { runCommand } from './dispatch.ts';

const test = useTestApp();
let shop: TestOrganization;
let other: TestOrganization;

beforeAll(async () => {
  shop = await buildOrganization(test);
  other = await buildOrganization(test);
  for (const organization of [shop, other]) {
    const customer = await buildCustomer(organization);
    const { chatId } = await buildChat(organization, customer);
    await deactivateChat(customerScope(organization, customer), { chatId });
  }
  await test.context.background.projections.drain();
});

const run = async (...args: string[]) => {
  const { host, port, user, password, database } = test.connection;
  const login = password ? `${user}:${String(password)}` : user;
  const env = { DATABASE_URL: `postgres://${login}@/${database}?host=${encodeURIComponent(host!)}&port=${port}` };
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const code = await runCommand(['projections', ...args], { env, cwd: '/', print: push, reportProgress: push });
  return { code, lines };
};

const chatsOf = async ({ scope }: TestOrganization): Promise<number[]> => {
  const rows = await scope.from('chatRollups').where('dimension', '=', '').select('chats').execute();
  return rows.map(({ chats }) => chats);
};

it('check reports the keys that differ, and rebuild corrects them for one organization or all', async () => {
  expect(await run('check')).toMatchObject({ code: 0 });
  for (const { scope } of [shop, other]) await scope.update('chatRollups').set({ chats: 9 }).execute();
  const { code, lines } = await run('check', 'report_facts', '--organization', shop.id);
  expect([code, lines[0], lines.at(-1)]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^report_facts of ${shop.id}: .*g0 q 2026-03-02`)),
    '12 keys differ from their sources.',
  ]);
  expect(await run('rebuild', 'report_facts', '--organization', shop.id)).toEqual({
    code: 0,
    lines: ['Rebuilt 1 projection (1 owner).'],
  });
  expect([await chatsOf(shop), await chatsOf(other)]).toEqual([
    [1, 1, 1, 1],
    [9, 9, 9, 9],
  ]);
  expect(await run('check', 'all')).toMatchObject({ code: 1 });
  expect(await run('rebuild')).toMatchObject({ code: 0 });
  expect(await run('check')).toMatchObject({ code: 0 });
  expect(await chatsOf(other)).toEqual([1, 1, 1, 1]);
});

it('rejects unknown projections, organizations and options', async () => {
  expect(await run('rebuild', 'nothing')).toMatchObject({ code: 2 });
  expect(await run('rebuild', '--color', 'red')).toMatchObject({ code: 2 });
  expect(await run('check', '--organization', 'Nobody')).toMatchObject({ code: 2 });
});
