import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allTables } from '#server/storage/tables/owners.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { sendEvent } from '../append/send-event.ts';
import { deactivateChat } from '../lifecycle/deactivate-chat.ts';
import { getChat } from './get-chat.ts';
import { listChats } from './list-chats.ts';
import { listThreads } from './list-threads.ts';

const HOUR_MS = 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let scope: OrganizationScope;
let chatId: string;

beforeAll(async () => {
  organization = await buildOrganization(test);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  scope = customerScope(organization, customer);
  ({ chatId } = await buildChat(organization, customer, { texts: ['hi'] }));
  await deactivateChat(scope, { chatId });
});

const list = (as = scope) => listChats(as, { filters: {} });
const get = (as = scope) => getChat(as, { chatId });
const write = () => sendEvent(scope, { chatId, event: messageDraft('more'), attachToLastThread: true });

describe('repeated reads of a customer', () => {
  it('return the same object until one of its rows is written', async () => {
    const [page, chat, threads] = [await list(), await get(), await listThreads(scope, { chatId })];
    expect(await list()).toBe(page);
    expect(await get()).toBe(chat);
    expect(await listThreads(scope, { chatId })).toBe(threads);
    await write();
    expect(await listThreads(scope, { chatId })).not.toEqual(threads);
    expect(await list()).not.toBe(page);
    expect((await get()).thread?.events).toHaveLength(chat.thread!.events.length + 1);
  });

  it('are cached separately per limit and thread', async () => {
    const page = await list();
    const two = await listChats(scope, { filters: {}, limit: 2 });
    expect(two).not.toBe(page);
    expect(await list()).toBe(page);
    const { lastThreadId: threadId } = page.items[0]!;
    await expect(getChat(scope, { chatId, threadId: 'NOSUCHTHREAD' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await getChat(scope, { chatId, threadId })).toEqual(await get());
  });

  it('are cached per customer and not for agents', async () => {
    const other = customerScope(organization, await buildCustomer(organization));
    const owner = agentScope(organization, organization.owner, 'owner');
    await get();
    await expect(get(other)).rejects.toMatchObject({ code: 'not_found' });
    expect((await list(other)).items).toEqual([]);
    expect(await get(owner)).not.toBe(await get(owner));
  });

  it('bypass the cache inside a transaction, which may roll back', async () => {
    const page = await list();
    const rolledBack = scope.transaction(async (tx) => {
      await tx
        .update('chats')
        .where('id', '=', chatId)
        .set({ groupIds: [7] })
        .execute();
      expect((await list(tx)).items[0]!.groupIds).toEqual([7]);
      expect((await get(tx)).groupIds).toEqual([7]);
      throw new Error('rolledBack');
    });
    await expect(rolledBack).rejects.toThrow('rolledBack');
    expect(await list()).toBe(page);
  });

  it('are refreshed after an hour, since page ids expire', async () => {
    const page = await list();
    test.clock.advance(HOUR_MS);
    const again = await list();
    expect(again).not.toBe(page);
    expect(again).toEqual(page);
  });

  it('are not cached while the chat is queued, since its position changes', async () => {
    const busyShop = await buildOrganization(test);
    await busyShop.scope.update('agents').set({ maxChatsCount: 0 }).execute();
    const [first, second] = [await buildCustomer(busyShop), await buildCustomer(busyShop)];
    const before = await buildChat(busyShop, first);
    const behind = await buildChat(busyShop, second);
    const { chatId: waiting } = behind;
    const positions = async () => {
      const as = customerScope(busyShop, second);
      const threads = [
        (await getChat(as, { chatId: waiting })).thread,
        (await listThreads(as, { chatId: waiting })).items[0],
      ];
      return threads.map((thread) => thread?.queue?.position);
    };
    expect(await positions()).toEqual([2, 2]);
    await deactivateChat(customerScope(busyShop, first), { chatId: before.chatId });
    expect(await positions()).toEqual([1, 1]);
  });
});

it('depends on every table that a chat is read from', () => {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  const tables = [...read('read-sql.ts').matchAll(/\b(?:from|join) (\w+)/g)].map(([, table]) => table!);
  const versions = read('row-version-sql.ts');
  // The customer's version is the whole joined row, whatever its table is called.
  const missing = tables.filter(
    (table) => allTables.includes(table) && table !== 'customers' && !versions.includes(`from ${table} `),
  );
  expect(missing).toEqual([]);
});
