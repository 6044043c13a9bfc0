import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, expectEmpty, expectError, type Json, message, startChat } from './call.ts';
import { newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

interface Owner {
  what: string;
  /** The fields that identify the object. */
  ids(chat: Awaited<ReturnType<typeof startChat>>): Record<string, string>;
  read(chat: Json): Json;
}

const owners: Owner[] = [
  { what: 'chat', ids: ({ chatId }) => ({ id: chatId }), read: (chat) => chat.properties },
  {
    what: 'thread',
    ids: ({ chatId, threadId }) => ({ chat_id: chatId, thread_id: threadId }),
    read: (chat) => chat.thread.properties,
  },
  {
    what: 'event',
    ids: ({ chatId, threadId }) => ({ chat_id: chatId, thread_id: threadId, event_id: `${threadId}_1` }),
    read: (chat) => chat.thread.events[0].properties,
  },
];

describe.each(owners)('properties of a $what', ({ what, ids, read }) => {
  const setUp = async () => {
    const customer = await organization.customer();
    const chat = await startChat(customer, [message('hello')]);
    return {
      customer,
      chat,
      rating: async () => read(await customer.ok('get_chat', { chat_id: chat.chatId }))?.rating,
      update: (properties: unknown, by: Caller = customer, of = ids(chat)) =>
        by.call(`update_${what}_properties`, { ...of, properties }),
      remove: (properties: unknown, by: Caller = customer, of = ids(chat)) =>
        by.call(`delete_${what}_properties`, { ...of, properties }),
    };
  };

  it('can be set by namespace and name and deleted by name', async () => {
    const { update, remove, rating } = await setUp();
    expectEmpty(await update({ rating: { score: 1, comment: 'Very kind' } }));
    expect(await rating()).toEqual({ score: 1, comment: 'Very kind' });
    expectEmpty(await update({ rating: { score: 0 } }));
    expect(await rating()).toEqual({ score: 0, comment: 'Very kind' });
    expectEmpty(await remove({ rating: ['comment'] }));
    expect(await rating()).toEqual({ score: 0 });
    expectEmpty(await remove({ rating: ['score'] }));
    expect(await rating()).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['an invalid score', { rating: { score: 5 } }],
    ['no properties', undefined],
    ['properties without namespaces', ['rating']],
    ['a namespace without names', { rating: 1 }],
  ])('rejects %s', async (_, properties) => {
    const { update, rating } = await setUp();
    expectError(await update(properties), 'validation');
    expect(await rating()).toBeUndefined();
  });

  it('can be written by a customer only where the account allows it', async () => {
    const { update, remove } = await setUp();
    expectError(await update({ routing: { continuous: true } }), 'authorization');
    expectError(await update({ unheard_of: { name: 'value' } }), 'authorization');
    expectError(await remove({ routing: ['continuous'] }), 'authorization');
    expectError(await update({ rating: { score: 1 }, routing: { idle: true } }), 'authorization');
  });

  it(`require every id of a ${what} of this customer`, async () => {
    const { update, remove, chat } = await setUp();
    const properties = { rating: { score: 1 } };
    for (const name of Object.keys(ids(chat))) {
      const without = { ...ids(chat), [name]: undefined } as unknown as Record<string, string>;
      expectError(await update(properties, undefined, without), 'validation');
      const wrong = { ...ids(chat), [name]: 'NOSUCHID00' };
      expectError(await update(properties, undefined, wrong), 'not_found');
      expectError(await remove({ rating: ['score'] }, undefined, wrong), 'not_found');
    }
    expectError(await update(properties, await organization.customer()), 'not_found');
  });
});

it('rating a thread adds a system message to the chat', async () => {
  const customer = await organization.customer();
  const { chatId: chat_id, threadId: thread_id } = await startChat(customer);
  const last = async () => (await customer.ok('get_chat', { chat_id })).thread.events.at(-1);
  const update = (rating: object) =>
    customer.ok('update_thread_properties', { chat_id, thread_id, properties: { rating } });
  await update({ score: 1 });
  expect(await last()).toMatchObject({ type: 'system_message', system_message_type: 'rating.chat_rated' });
  await update({ comment: 'Thank you' });
  expect(await last()).toMatchObject({ type: 'system_message', system_message_type: 'rating.chat_commented' });
  await customer.ok('delete_thread_properties', { chat_id, thread_id, properties: { rating: ['score'] } });
  expect(await last()).toMatchObject({ type: 'system_message', system_message_type: 'rating.chat_rating_canceled' });
});

describe.each([
  ['list_license_properties', {}],
  ['list_group_properties', { id: 0 }],
])('%s', (operation, query) => {
  it('returns the properties a customer may read, by namespace and name', async () => {
    const customer = await organization.customer();
    expect(await customer.ok(operation, query)).toEqual(expect.any(Object));
    expect(await customer.ok(operation, { ...query, namespace: 'nothing' })).toEqual({});
    expect(await customer.ok(operation, { ...query, namespace: 'nothing', name: 'at_all' })).toEqual({});
  });
});

it('list_group_properties requires an existing group', async () => {
  const customer = await organization.customer();
  expectError(await customer.call('list_group_properties'), 'validation');
  expectError(await customer.call('list_group_properties', { id: 987 }), 'group_not_found');
});
