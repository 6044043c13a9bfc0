import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
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

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildProperty(organization, 'shop', 'cart');
  await buildProperty(organization, 'shop', 'page');
  await buildGroup(organization, 1);
  await buildGroup(organization, 2);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
});

const ID = /^[A-Z0-9]{10}$/;
const readBack = async (chat_id: string) => (await call('get_chat', { chat_id })).body;

describe('start_chat', () => {
  it('works without any fields', async () => {
    const { status, body } = await call('start_chat');
    expect(status).toBe(200);
    expect(body).toEqual({ chat_id: expect.stringMatching(ID), thread_id: expect.stringMatching(ID) });
    const chat = await readBack(body.chat_id);
    expect(chat).toMatchObject({ id: body.chat_id, access: { group_ids: [0] }, properties: {} });
    expect(chat.thread).toMatchObject({ id: body.thread_id, active: true, events: [] });
  });

  it('accepts null as an empty body', async () => {
    expect((await call('start_chat', null)).status).toBe(200);
  });

  it('starts with events, properties and access', async () => {
    await setAccepting(1);
    const { body } = await call('start_chat', {
      chat: {
        access: { group_ids: [1] },
        properties: { shop: { cart: 3 } },
        thread: { events: [message('one'), message('two')], properties: { shop: { page: '/' } } },
      },
    });
    expect(body.event_ids).toEqual([`${body.thread_id}_1`, `${body.thread_id}_2`]);
    const chat = await readBack(body.chat_id);
    expect(chat).toMatchObject({ access: { group_ids: [1] }, properties: { shop: { cart: 3 } } });
    expect(chat.thread.properties).toEqual({ shop: { page: '/' } });
    expect(chat.thread.events.map(({ text }: { text: string }) => text)).toEqual(['one', 'two']);
  });

  it('marks everything as seen by the requester, and assigns an agent', async () => {
    const { body } = await call('start_chat', { chat: { thread: { events: [message('hi')] } } });
    const { users, thread } = await readBack(body.chat_id);
    expect(users[0]).toMatchObject({ id: customer.id, type: 'customer', present: true });
    expect(users[0].events_seen_up_to).toBe(thread.events.at(-1).created_at);
    expect(users[1]).toMatchObject({ type: 'agent', id: expect.stringMatching(/^[0-9a-f]{32}$/), present: true });
    expect(thread.user_ids).toEqual(users.map(({ id }: { id: string }) => id));
    expect(JSON.stringify(users)).not.toContain(organization.owner.login);
  });

  it('creates an archived thread if it is not active', async () => {
    const { body } = await call('start_chat', {
      active: false,
      chat: { thread: { events: [message('left a note')] } },
    });
    const { thread, users } = await readBack(body.chat_id);
    expect(thread).toMatchObject({ active: false, events: [{ text: 'left a note' }] });
    expect(users).toHaveLength(1);
    expect(await call('send_event', { chat_id: body.chat_id, event: message('x') })).toMatchObject(
      errorResponse(422, 'chat_inactive'),
    );
  });

  it('ignores unknown fields sent by a known client', async () => {
    const noise = {
      id: '',
      created_at: '0001-01-01T00:00:00Z',
      author_id: '',
      custom_id: '',
      properties: null,
      postback: null,
      visibility: null,
    };
    const { status, body } = await call('start_chat', {
      chat: {
        id: '',
        access: null,
        properties: null,
        thread: { id: '', events: [message('hi', noise)], properties: null },
      },
      active: null,
      continuous: null,
      customer_fields: {},
    });
    expect(status).toBe(200);
    const [event] = (await readBack(body.chat_id)).thread.events;
    expect(event).toMatchObject({ id: `${body.thread_id}_1`, author_id: customer.id, text: 'hi' });
    expect(event).not.toHaveProperty('custom_id');
    expect((await call('start_chat', { chat: null })).status).toBe(200);
    expect((await call('start_chat', { chat: { access: { group_ids: [] } } })).status).toBe(200);
  });

  it('rejects unknown groups', async () => {
    expect(await call('start_chat', { chat: { access: { group_ids: [0, 77] } } })).toMatchObject(
      errorResponse(404, 'group_not_found'),
    );
  });

  it('requires an online agent unless the chat is continuous', async () => {
    const access = { group_ids: [2] };
    expect(await call('start_chat', { chat: { access } })).toMatchObject(errorResponse(422, 'groups_offline'));
    expect((await call('start_chat', { chat: { access }, continuous: true })).status).toBe(200);
    expect((await call('start_chat', { chat: { access }, active: false })).status).toBe(200);
    expect((await call('list_chats')).body.total_chats).toBe(2);
  });

  it('stops at fifty active chats, even in concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 55 }, () => call('start_chat', { continuous: true })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(errorResponse(422, 'limit_reached'));
    expect((await call('start_chat', { active: false })).status).toBe(200);
    const [chat] = (await call('list_chats', { limit: 1, sort_order: 'asc' })).body.chats_summary;
    await call('deactivate_chat', { id: chat.id });
    expect((await call('start_chat')).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['a chat that is text', { chat: 'hello' }],
    ['a chat that is a list', { chat: [] }],
    ['groups that are text', { chat: { access: { group_ids: ['0'] } } }],
    ['a group id out of range', { chat: { access: { group_ids: [2 ** 31] } } }],
    ['a negative group', { chat: { access: { group_ids: [-1] } } }],
    ['101 groups', { chat: { access: { group_ids: Array(101).fill(0) } } }],
    ['101 events', { chat: { thread: { events: Array(101).fill(message('x')) } } }],
    ['a form', { chat: { thread: { events: [{ type: 'form', form_id: '1', fields: [] }] } } }],
    ['properties that are text', { chat: { properties: { shop: 'x' } } }],
    ['active as a number', { active: 1 }],
    [
      'the same custom_id twice',
      { chat: { thread: { events: [message('a', { custom_id: 'k' }), message('b', { custom_id: 'k' })] } } },
    ],
    ['a list', []],
    ['text', 'start'],
  ])('rejects %s and starts nothing', async (_, body) => {
    expect(await call('start_chat', body)).toMatchObject(errorResponse(400, 'validation'));
    expect((await call('list_chats')).body.total_chats).toBe(0);
  });

  it('rolls back completely if one event is too long', async () => {
    const events = [message('fine'), message('ż'.repeat(8193))];
    expect(await call('start_chat', { chat: { thread: { events } } })).toMatchObject(errorResponse(400, 'validation'));
    expect((await call('list_chats')).body.total_chats).toBe(0);
  });

  const setAccepting = async (group: number) => {
    const { login } = await buildAgent(organization, { groupIds: [group] });
    await organization.scope.update('agents').where('id', '=', login).set({ status: 'accepting chats' }).execute();
  };
});
