import { afterAll, describe, expect, it } from 'vitest';
import { archiveChat, type Caller, expectError, type Json, startChat } from './call.ts';
import { newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

interface List {
  name: string;
  /** Creates this many items and returns the filters that list them. */
  make(customer: Caller, count: number): Promise<object>;
  idsOf(response: Json): string[];
}

const lists: List[] = [
  {
    name: 'list_chats',
    make: async (customer, count) => {
      for (let made = 0; made < count; made++) await startChat(customer);
      return {};
    },
    idsOf: ({ chats_summary }) => chats_summary.map(({ id }: Json) => id),
  },
  {
    name: 'list_threads',
    make: async (customer, count) => ({ chat_id: (await archiveChat(customer, count)).chatId }),
    idsOf: ({ threads }) => threads.map(({ id }: Json) => id),
  },
];

describe.each(lists)('$name', ({ name, make, idsOf }) => {
  it.each(['asc', 'desc'])('iterates over all pages forward and backward, %s', async (sort_order) => {
    const customer = await organization.customer();
    const filters = await make(customer, 5);
    const all = idsOf(await customer.ok(name, { ...filters, sort_order, limit: 25 }));
    expect(all).toHaveLength(5);
    const first = await customer.ok(name, { ...filters, sort_order, limit: 2 });
    const follow = (page_id: string) => customer.ok(name, { ...filters, page_id });
    const second = await follow(first.next_page_id);
    const third = await follow(second.next_page_id);
    expect([first, second, third].map(idsOf)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(idsOf(await follow(third.previous_page_id))).toEqual(all.slice(2, 4));
    expect(idsOf(await follow(second.previous_page_id))).toEqual(all.slice(0, 2));
  });

  it('returns next_page_id and previous_page_id only when that page exists', async () => {
    const customer = await organization.customer();
    const filters = await make(customer, 3);
    const whole = await customer.ok(name, { ...filters, limit: 3 });
    expect(whole).not.toHaveProperty('next_page_id');
    expect(whole).not.toHaveProperty('previous_page_id');
    const first = await customer.ok(name, { ...filters, limit: 2 });
    expect(first).not.toHaveProperty('previous_page_id');
    const last = await customer.ok(name, { ...filters, page_id: first.next_page_id });
    expect(last).toHaveProperty('previous_page_id');
    expect(last).not.toHaveProperty('next_page_id');
    const back = await customer.ok(name, { ...filters, page_id: last.previous_page_id });
    expect(back).not.toHaveProperty('previous_page_id');
    expect(back).toHaveProperty('next_page_id');
  });

  it('rejects other filters together with a page_id', async () => {
    const customer = await organization.customer();
    const filters = await make(customer, 2);
    const { next_page_id: page_id } = await customer.ok(name, { ...filters, limit: 1 });
    for (const more of [{ limit: 1 }, { sort_order: 'desc' }, { limit: 1, sort_order: 'asc' }]) {
      expectError(await customer.call(name, { ...filters, page_id, ...more }), 'validation');
    }
  });

  it('rejects a page_id that was modified, invented or issued to another customer', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const filters = await make(customer, 2);
    const { next_page_id: page_id } = await customer.ok(name, { ...filters, limit: 1 });
    const changed = page_id.startsWith('e') ? `f${page_id.slice(1)}` : `e${page_id.slice(1)}`;
    for (const wrong of [changed, 'abc', '', 'e30.e30', `${page_id}x`]) {
      expectError(await customer.call(name, { ...filters, page_id: wrong }), 'validation');
    }
    const response = await other.call(name, { ...(await make(other, 2)), page_id });
    expectError(response, 'validation');
  });
});

it('a page_id of list_threads is valid only for its chat', async () => {
  const customer = await organization.customer();
  const [one, two] = [await archiveChat(customer, 2), await archiveChat(customer, 2)];
  const { next_page_id: page_id } = await customer.ok('list_threads', { chat_id: one.chatId, limit: 1 });
  expectError(await customer.call('list_threads', { chat_id: two.chatId, page_id }), 'validation');
  expectError(await customer.call('list_threads', { chat_id: one.chatId, page_id, min_events_count: 2 }), 'validation');
  expectError(await customer.call('list_chats', { page_id }), 'validation');
});

it('total_chats counts all chats, not only those of the page', async () => {
  const customer = await organization.customer();
  for (let made = 0; made < 3; made++) await startChat(customer);
  expect(await customer.ok('list_chats', { limit: 1 })).toMatchObject({ total_chats: 3 });
});
