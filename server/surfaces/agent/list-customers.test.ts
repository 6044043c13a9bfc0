import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { recordPage } from '#server/domain/support/visits/record-page.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { errorResponse } from '#server/testing/http/call-customer.ts';

const SALES = 7;
const MINUTE = 60_000;

const test = useTestApp();
let organization: TestOrganization;
let normal: TestAgent;
let call: ReturnType<typeof callAsAgent>;
/** In order of creation. */
const customers: TestCustomer[] = [];

const stamp = () => test.clock.now().toISOString();
const list = async (body: object = {}, by = normal) => (await call(by, 'list_customers', body)).body;
const indexes = async (body: object = {}) =>
  (await list(body)).customers.map(({ id }: { id: string }) => customers.findIndex((one) => one.id === id));
const filtered = (filters: object) => indexes({ filters, sort_order: 'asc' });

/** 0 has no chat; 1 has one chat with an answer; 2 has two chats in sales; 3 visits twice. */
let between: string;
let answeredAfter: string;
beforeAll(async () => {
  call = callAsAgent(test);
  organization = await buildOrganization(test);
  await buildGroup(organization, SALES);
  normal = await buildAgent(organization);
  for (let at = 0; at < 4; at++) {
    test.clock.advance(MINUTE);
    if (at === 2) between = stamp();
    const customer = await buildCustomer(organization);
    customers.push(customer);
    await call(normal, 'update_customer', { id: customer.id, name: `Name ${at % 2}`, email: `C${at}@Mail.test` });
  }
  const { chatId } = await buildChat(organization, customers[1]!, { texts: ['Hello'] });
  for (const text of ['One', 'Two'])
    await buildChat(organization, customers[2]!, { texts: [text], groupIds: [SALES], continuous: true });
  test.clock.advance(31 * MINUTE);
  answeredAfter = stamp();
  const owner = customerScope(organization, customers[1]!);
  await sendEvent(
    { ...owner, actor: { kind: 'agent', id: organization.owner.login, permission: 'owner', groupIds: [0] } },
    { chatId, event: messageDraft('Answer'), attachToLastThread: false },
  );
  await recordPage(customerScope(organization, customers[3]!), { url: 'https://shop.test/' });
});

describe('list_customers', () => {
  it('lists the newest first, with all details', async () => {
    const answer = await list();
    expect(await indexes()).toEqual([3, 2, 1, 0]);
    expect(answer).toMatchObject({ total_customers: 4 });
    expect(answer).not.toHaveProperty('next_page_id');
    const {
      chat_ids: _,
      visitor_details: __,
      ...one
    } = (await call(normal, 'get_customer', { id: customers[1]!.id })).body;
    expect(answer.customers[2]).toEqual(one);
    expect(await indexes({ sort_order: 'asc' })).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ['created_at', [3, 2, 1, 0]],
    ['visits_count', [3]],
    ['threads_count', [2, 1]],
    ['agent_last_event', [1]],
    ['customer_last_event', []],
  ])('sorts by %s', async (sortBy, first) => {
    const descending = await indexes({ sort_by: sortBy });
    expect(descending.slice(0, first.length)).toEqual(first);
    expect(await indexes({ sort_by: sortBy, sort_order: 'asc' })).toEqual(descending.toReversed());
  });

  it.each(['created_at', 'visits_count', 'threads_count', 'agent_last_event', 'customer_last_event'])(
    'paginates forward and backward by %s',
    async (sortBy) => {
      const all = await indexes({ sort_by: sortBy });
      const seen: number[][] = [];
      let answer = await list({ sort_by: sortBy, limit: 1 });
      const forth = [answer];
      while (answer.next_page_id) {
        answer = await list({ page_id: answer.next_page_id });
        forth.push(answer);
      }
      for (const { customers: page, total_customers } of forth) {
        expect(total_customers).toBe(4);
        seen.push(page.map(({ id }: { id: string }) => customers.findIndex((one) => one.id === id)));
      }
      expect(seen).toEqual(all.map((one: number) => [one]));
      const back = await list({ page_id: answer.previous_page_id });
      expect(back.customers[0].id).toBe(customers[all.at(-2)!]!.id);
    },
  );

  it('filters by text case-insensitively', async () => {
    expect(await filtered({ name: { values: ['NAME 1'] } })).toEqual([1, 3]);
    expect(await filtered({ name: { exclude_values: ['name 1'] } })).toEqual([0, 2]);
    expect(await filtered({ email: { values: ['c2@mail.test', 'C0@MAIL.TEST', 'none@mail.test'] } })).toEqual([0, 2]);
    expect(await filtered({ email: { values: ['c%'] } })).toEqual([]);
    expect(await filtered({ name: { values: [] } })).toEqual([]);
    expect(await filtered({ name: { values: ['Name 1'], exclude_values: ['Name 1'] } })).toEqual([]);
    expect(await filtered({ name: null, email: {} })).toEqual([0, 1, 2, 3]);
  });

  it('filters by id and country', async () => {
    const [zero, one] = customers as [TestCustomer, TestCustomer];
    expect(await filtered({ customer_id: { values: [one.id.toUpperCase(), 'nobody', randomUUID()] } })).toEqual([1]);
    expect(await filtered({ customer_id: { exclude_values: [zero.id, one.id] } })).toEqual([2, 3]);
    expect(await filtered({ country: { values: ['Poland'] } })).toEqual([]);
    expect(await filtered({ country: { exclude_values: ['Poland'] } })).toEqual([0, 1, 2, 3]);
  });

  it('filters by counts', async () => {
    expect(await filtered({ chats_count: { gte: 1 } })).toEqual([1, 2]);
    expect(await filtered({ chats_count: { eq: 2 } })).toEqual([2]);
    expect(await filtered({ threads_count: { gt: 0, lt: 2 } })).toEqual([1]);
    expect(await filtered({ threads_count: { lte: 0 } })).toEqual([0, 3]);
    expect(await filtered({ visits_count: { gte: 2 } })).toEqual([3]);
    expect(await filtered({ include_customers_without_chats: false })).toEqual([1, 2]);
    expect(await filtered({ chat_group_ids: { values: [SALES] } })).toEqual([2]);
    expect(await filtered({ chat_group_ids: { exclude_values: [SALES] } })).toEqual([0, 1, 3]);
  });

  it('filters by times', async () => {
    expect(await filtered({ created_at: { lt: between } })).toEqual([0, 1]);
    expect(await filtered({ created_at: { gte: between } })).toEqual([2, 3]);
    expect(await filtered({ created_at: { eq: between } })).toEqual([2]);
    expect(await filtered({ created_at: { gt: between.replace('Z', '+00:00') } })).toEqual([3]);
    expect(await filtered({ agent_last_event_created_at: { gte: answeredAfter } })).toEqual([1]);
    expect(await filtered({ customer_last_event_created_at: { lt: answeredAfter } })).toEqual([1, 2]);
  });

  it('keeps filters and order across pages', async () => {
    const first = await list({ filters: { chats_count: { gte: 1 } }, sort_by: 'threads_count', limit: 1 });
    expect(first).toMatchObject({ total_customers: 2, customers: [{ id: customers[2]!.id }] });
    const second = await list({ page_id: first.next_page_id });
    expect(second).toMatchObject({ total_customers: 2, customers: [{ id: customers[1]!.id }] });
    for (const more of [{ limit: 1 }, { sort_by: 'created_at' }, { sort_order: 'asc' }, { filters: { name: {} } }])
      expect(await call(normal, 'list_customers', { page_id: first.next_page_id, ...more })).toMatchObject(
        errorResponse(400, 'validation'),
      );
    expect(await call(organization.owner, 'list_customers', { page_id: first.next_page_id })).toMatchObject(
      errorResponse(400, 'validation'),
    );
  });

  it.each([
    { limit: 0 },
    { limit: 101 },
    { limit: '5' },
    { sort_by: 'name' },
    { sort_order: 'up' },
    { page_id: 'made.up' },
    { filters: { chats_count: { gte: -1 } } },
    { filters: { chats_count: { gte: 2_147_483_648 } } },
    { filters: { created_at: { gte: 'yesterday' } } },
    { filters: { name: { values: Array(101).fill('x') } } },
    { filters: { name: 'Ann' } },
  ])('rejects %j', async (body) => {
    expect(await call(normal, 'list_customers', body)).toMatchObject(errorResponse(400, 'validation'));
  });

  it('allows a limit of 100 and lists no customers of other organizations', async () => {
    expect(await indexes({ limit: 100 })).toHaveLength(4);
    const other = await buildOrganization(test);
    expect(await list({}, other.owner)).toEqual({ customers: [], total_customers: 0 });
    expect(await list({ filters: { customer_id: { values: [customers[0]!.id] } } }, other.owner)).toMatchObject({
      total_customers: 0,
    });
  });
});
