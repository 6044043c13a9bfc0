import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { getChat as getChatAs } from '#server/domain/support/chats/read/get-chat.ts';
import { deleteProperties, updateProperties } from '#server/domain/support/properties/change-properties.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let chat_id: string;
let thread_id: string;
let event_id: string;

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildProperty(organization, 'shop', 'cart');
  await buildProperty(organization, 'shop', 'note', { customer: ['read'] });
  await buildProperty(organization, 'shop', 'secret', { customer: [] });
  for (let at = 0; at < 101; at++) await buildProperty(organization, 'many', `n${at}`);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  const { body } = await call('start_chat', { chat: { thread: { events: [message('hi')] } } });
  ({ chat_id, thread_id } = body);
  event_id = body.event_ids[0];
});

const owner = () => {
  const actor: AgentActor = { kind: 'agent', id: organization.owner.login, permission: 'owner', groupIds: [] };
  return openOrganizationScope(organization.scope.services, actor, organization.id);
};

type Level = 'chat' | 'thread' | 'event';
const levels: Level[] = ['chat', 'thread', 'event'];

const idsOf = (level: Level): object =>
  ({ chat: { id: chat_id }, thread: { chat_id, thread_id }, event: { chat_id, thread_id, event_id } })[level];
const update = (level: Level, properties: unknown, ids: object = idsOf(level)) =>
  call(`update_${level}_properties`, { ...ids, properties });
const remove = (level: Level, properties: unknown, ids: object = idsOf(level)) =>
  call(`delete_${level}_properties`, { ...ids, properties });
const getChat = async () => (await call('get_chat', { chat_id })).body;
const read = async (level: Level) => {
  const chat = await getChat();
  return { chat: chat.properties, thread: chat.thread.properties, event: chat.thread.events[0].properties ?? {} }[
    level
  ];
};
const systemMessages = async (): Promise<string[]> =>
  (await getChat()).thread.events
    .filter(({ type }: { type: string }) => type === 'system_message')
    .map(({ system_message_type: type }: { system_message_type: string }) => type);

describe.each(levels)('properties of a %s', (level) => {
  it('are set, merged, and removed', async () => {
    expect(await update(level, { rating: { score: 1 } })).toMatchObject({ status: 200, body: {} });
    expect((await update(level, { rating: { comment: 'Fine' }, shop: { cart: { items: [1, 2] } } })).status).toBe(200);
    expect(await read(level)).toEqual({ rating: { score: 1, comment: 'Fine' }, shop: { cart: { items: [1, 2] } } });
    expect(await remove(level, { rating: ['score', 'score'], shop: ['cart'] })).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await read(level)).toEqual({ rating: { comment: 'Fine' } });
    expect((await remove(level, { rating: ['score'] })).status).toBe(200);
    expect((await update(level, {})).status).toBe(200);
  });

  it.each<[string, unknown, number, string]>([
    ['a namespace that customers may only read', { routing: { pinned: true } }, 403, 'authorization'],
    ['a name that customers may only read', { shop: { note: 'x' } }, 403, 'authorization'],
    ['a name that customers may not even read', { shop: { secret: 'x' } }, 403, 'authorization'],
    ['an unknown namespace', { nobody: { knows: 1 } }, 403, 'authorization'],
    ['an unknown name', { rating: { stars: 5 } }, 403, 'authorization'],
    ['a valid value next to an invalid one', { rating: { score: 1 }, shop: { note: 'x' } }, 403, 'authorization'],
    ['a name that every object inherits', { rating: { toString: 1 } }, 403, 'authorization'],
    ['another score', { rating: { score: 2 } }, 400, 'validation'],
    ['a score as a text', { rating: { score: '1' } }, 400, 'validation'],
    ['no score', { rating: { score: null } }, 400, 'validation'],
    ['a long comment', { rating: { comment: 'x'.repeat(4097) } }, 400, 'validation'],
    ['a value that is nested too deeply', { shop: { cart: { a: { b: { c: {} } } } } }, 400, 'validation'],
    ['text instead of a namespace', { rating: 'good' }, 400, 'validation'],
    ['a list', [], 400, 'validation'],
    ['nothing', undefined, 400, 'validation'],
  ])('reject %s', async (_, properties, status, type) => {
    expect(await update(level, properties)).toMatchObject(errorResponse(status, type));
    expect(await read(level)).toEqual({});
  });

  it('are limited to one hundred', async () => {
    const many = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`n${from + at}`, at]));
    expect((await update(level, { many: many(0, 100) })).status).toBe(200);
    expect(await update(level, { many: many(100, 101) })).toMatchObject(errorResponse(422, 'limit_reached'));
    expect(Object.keys((await read(level)).many)).toHaveLength(100);
  });

  it('can be deleted only with write permission', async () => {
    expect(await remove(level, { shop: ['note'] })).toMatchObject(errorResponse(403, 'authorization'));
    expect(await remove(level, { nobody: ['knows'] })).toMatchObject(errorResponse(403, 'authorization'));
    expect(await remove(level, { rating: 'score' })).toMatchObject(errorResponse(400, 'validation'));
  });

  it('of another customer are not found', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    const body = { ...idsOf(level), properties: { rating: { score: 0 } } };
    expect(await stranger(`update_${level}_properties`, body)).toMatchObject(errorResponse(404, 'not_found'));
    const names = { ...idsOf(level), properties: { rating: ['score'] } };
    expect(await stranger(`delete_${level}_properties`, names)).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('keep both of two concurrent changes', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `n${at}`);
    await Promise.all(names.map((name) => update(level, { many: { [name]: name } })));
    expect((await read(level)).many).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  });

  it('are hidden from customers who may not read them, and never from agents', async () => {
    const target = { chat: { of: 'chat' }, thread: { of: 'thread' }, event: { of: 'event' } }[level];
    const ids = { chatId: chat_id, threadId: thread_id, eventId: event_id };
    const input = { shop: { note: 'n', secret: 's' }, routing: { email_follow_up: true }, rating: { score: 0 } };
    const written = level === 'event' ? { shop: input.shop, rating: input.rating } : input;
    await updateProperties(owner(), { ...target, ...ids } as never, written);
    expect(await read(level)).toEqual({ shop: { note: 'n' }, rating: { score: 0 } });
    const { body: list } = await call('list_chats');
    const { body: threads } = await call('list_threads', { chat_id });
    expect(JSON.stringify([list, threads])).not.toContain('secret');
    const { properties, thread } = await getChatAs(owner(), { chatId: chat_id });
    const all = { chat: properties, thread: thread?.properties, event: thread?.events[0]?.properties };
    expect(all[level]).toEqual(written);
  });

  it('can be set and removed after the chat was closed', async () => {
    await call('deactivate_chat', { id: chat_id });
    expect((await update(level, { rating: { score: 0 } })).status).toBe(200);
    expect(await read(level)).toEqual({ rating: { score: 0 } });
    expect((await remove(level, { rating: ['score'] })).status).toBe(200);
  });
});

it('a thread or an event must belong to the given chat', async () => {
  const { body: other } = await call('start_chat', { chat: { thread: { events: [message('there')] } } });
  const properties = { rating: { score: 1 } };
  const wrong: [Level, object][] = [
    ['thread', { chat_id, thread_id: other.thread_id }],
    ['event', { chat_id, thread_id: other.thread_id, event_id: other.event_ids[0] }],
    ['event', { chat_id, thread_id, event_id: other.event_ids[0] }],
    ['event', { chat_id, thread_id, event_id: `${thread_id}_99` }],
    ...['1.5', '-1', '0', '1e0', '01', '99999999999', '', ' 1'].map((number): [Level, object] => [
      'event',
      { chat_id, thread_id, event_id: `${thread_id}_${number}` },
    ]),
  ];
  for (const [level, ids] of wrong)
    expect(await update(level, properties, ids), JSON.stringify(ids)).toMatchObject(errorResponse(404, 'not_found'));
});

it('notes of agents are not found by customers', async () => {
  await test.app.inject({
    method: 'POST',
    url: '/v3.5/agent/action/send_event',
    headers: { authorization: organization.owner.basic, 'content-type': 'application/json' },
    payload: JSON.stringify({ chat_id, event: message('psst', { visibility: 'agents' }) }),
  });
  const ids = { chat_id, thread_id, event_id: `${thread_id}_2` };
  expect(await update('event', { rating: { score: 1 } }, ids)).toMatchObject(errorResponse(404, 'not_found'));
});

describe('properties of a new object', () => {
  it.each<[string, object]>([
    ['chat', { properties: { shop: { note: 'x' } } }],
    ['thread', { thread: { properties: { routing: { idle: true } } } }],
    ['event', { thread: { events: [message('hi', { properties: { nobody: { knows: 1 } } })] } }],
  ])('are validated for a %s', async (_, chat) => {
    const before = (await call('list_chats')).body.total_chats;
    expect(await call('start_chat', { chat })).toMatchObject(errorResponse(403, 'authorization'));
    await call('deactivate_chat', { id: chat_id });
    expect(await call('resume_chat', { chat: { id: chat_id, ...chat } })).toMatchObject(
      errorResponse(403, 'authorization'),
    );
    expect((await call('list_chats')).body.total_chats).toBe(before);
  });

  it('are validated in send_event', async () => {
    const send = (properties: object) => call('send_event', { chat_id, event: message('hi', { properties }) });
    expect(await send({ status: { delivered: true } })).toMatchObject(errorResponse(403, 'authorization'));
    expect(await send({ rating: { score: 7 } })).toMatchObject(errorResponse(400, 'validation'));
    expect((await send({ rating: { score: 1 } })).status).toBe(200);
  });
});

describe('agents', () => {
  it('can set defined properties, and delete those whose definition was removed', async () => {
    const target = { of: 'chat', chatId: chat_id } as const;
    await expect(updateProperties(owner(), target, { nobody: { knows: 1 } })).rejects.toMatchObject({
      code: 'validation',
    });
    await organization.scope
      .update('chats')
      .where('id', '=', chat_id)
      .set({ properties: JSON.stringify({ gone: { long: 1 } }) })
      .execute();
    await deleteProperties(owner(), target, { gone: ['long'] });
    expect(await read('chat')).toEqual({});
  });
});

describe('the rating', () => {
  it('adds a system message to the chat, once per change', async () => {
    await update('thread', { rating: { score: 1 } });
    await update('thread', { rating: { score: 1 } });
    await update('thread', { rating: { score: 0, comment: 'Too slow' } });
    await remove('thread', { rating: ['score'] });
    await remove('thread', { rating: ['score', 'comment'] });
    expect(await systemMessages()).toEqual([
      'rating.chat_rated',
      'rating.chat_rated',
      'rating.chat_commented',
      'rating.chat_rating_canceled',
    ]);
    const { events } = (await getChat()).thread;
    expect(events[1]).toMatchObject({ text_vars: { score: 'good' } });
    expect(events[3]).toMatchObject({ text_vars: { comment: 'Too slow' } });
  });

  it('adds one system message for concurrent identical requests', async () => {
    await Promise.all(Array.from({ length: 6 }, () => update('thread', { rating: { score: 1 } })));
    expect(await systemMessages()).toEqual(['rating.chat_rated']);
  });

  it('adds the system message to the last thread after the chat was closed', async () => {
    await call('deactivate_chat', { id: chat_id });
    await update('thread', { rating: { score: 0 } });
    expect(await systemMessages()).toEqual(['manual_archived_customer', 'rating.chat_rated']);
    expect((await getChat()).thread.active).toBe(false);
  });

  it('of an event does not affect the chat', async () => {
    await update('event', { rating: { score: 0 } });
    expect(await systemMessages()).toEqual([]);
  });

  it('is found in the archive', async () => {
    await call('deactivate_chat', { id: chat_id });
    await update('thread', { rating: { score: 1, comment: 'Thanks' } });
    const { statusCode, body } = await test.app.inject({
      url: '/chats?rate=rated_good',
      headers: { authorization: organization.owner.basic, 'x-api-version': '2' },
    });
    expect(statusCode, body).toBe(200);
    expect(body).toContain(thread_id);
  });
});
