import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, type Json, message, startChat } from './call.ts';
import { newOrganization, openTarget } from './index.ts';
import { openSocket } from './socket.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const address = (organizationId = organization.id, version = '3.5') =>
  `${target.url.replace(/^http/, 'ws')}/v${version}/customer/rtm/ws?organization_id=${organizationId}`;

const logIn = async (customer: Caller, more: object = {}) => {
  const socket = await openSocket(address());
  const answer = await socket.request('login', { token: `Bearer ${customer.token}`, ...more });
  expect(answer).toMatchObject({ success: true });
  return { socket, answer };
};

const failure = (type: string) => ({ type: 'response', success: false, payload: { error: { type } } });

describe('login', () => {
  it('login returns the fields that known clients read', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    const { socket, answer } = await logIn(customer, {
      customer: { name: 'Ann' },
      customer_page: { url: 'https://shop.test/', title: 'Shop' },
      application: { name: 'widget' },
      is_mobile: false,
    });
    expect(answer.payload).toMatchObject({
      customer_id: customer.id,
      customer: { id: customer.id, statistics: expect.any(Object) },
      has_active_thread: true,
      chats: [{ chat_id: chatId, has_unread_events: expect.any(Boolean) }],
      __priv_dynamic_config: expect.any(Object),
    });
    socket.close();
  });

  it('only ping is possible before login', async () => {
    const socket = await openSocket(address());
    expect(await socket.request('ping')).toMatchObject({ action: 'ping', success: true });
    expect(await socket.request('list_chats')).toMatchObject({ type: 'response', success: false });
    socket.close();
  });

  it('login requires a token', async () => {
    const socket = await openSocket(address());
    expect(await socket.request('login', { token: 'Bearer dal:unknown' })).toMatchObject(failure('authentication'));
    socket.close();
  });
});

describe('frames', () => {
  it('responses carry the request_id of the request, or none', async () => {
    const { socket } = await logIn(await organization.customer());
    expect(await socket.request('ping', undefined, { request_id: 'abc' })).toEqual({
      request_id: 'abc',
      action: 'ping',
      type: 'response',
      success: true,
      payload: {},
    });
    socket.send({ action: 'get_customer' });
    expect(await socket.next()).not.toHaveProperty('request_id');
    socket.close();
  });

  it('frames in another version are rejected', async () => {
    const { socket } = await logIn(await organization.customer());
    expect(await socket.request('get_customer', {}, { version: '3.4' })).toMatchObject(failure('unsupported_version'));
    expect(await socket.request('get_customer', {}, { version: '3.5' })).toMatchObject({ success: true });
    socket.close();
  });

  it('frames with an unknown action are rejected', async () => {
    const { socket } = await logIn(await organization.customer());
    expect(await socket.request('fly')).toMatchObject({ success: false, action: 'fly' });
    socket.close();
  });
});

describe('actions', () => {
  it.each<[string, (chat: { chatId: string; threadId: string }) => object]>([
    ['list_chats', () => ({})],
    ['list_threads', ({ chatId }) => ({ chat_id: chatId })],
    ['get_chat', ({ chatId }) => ({ chat_id: chatId })],
    ['send_sneak_peek', ({ chatId }) => ({ chat_id: chatId, sneak_peek_text: 'typ' })],
    ['mark_events_as_seen', ({ chatId }) => ({ chat_id: chatId, seen_up_to: '2026-01-01T00:00:00.000000Z' })],
    ['get_dynamic_configuration', () => ({ group_id: 0 })],
    ['update_chat_properties', ({ chatId }) => ({ id: chatId, properties: { rating: { score: 1 } } })],
    ['delete_chat_properties', ({ chatId }) => ({ id: chatId, properties: { rating: ['score'] } })],
    ['list_license_properties', () => ({})],
    ['list_group_properties', () => ({ id: 0 })],
    ['update_customer', () => ({ name: 'Ann' })],
    ['set_customer_session_fields', () => ({ session_fields: [{ a: '1' }] })],
    ['get_customer', () => ({})],
    ['list_group_statuses', () => ({ all: true })],
    ['get_form', () => ({ group_id: 0, type: 'prechat' })],
    ['update_customer_page', () => ({ url: 'https://shop.test/cart', title: 'Cart' })],
    ['deactivate_chat', ({ chatId }) => ({ id: chatId })],
  ])('%s succeeds over a socket', async (action, payload) => {
    const customer = await organization.customer();
    const chat = await startChat(customer, [message('hello')]);
    const { socket } = await logIn(customer);
    expect(await socket.request(action, payload(chat))).toMatchObject({ action, success: true });
    socket.close();
  });

  it('errors are the same as over HTTP', async () => {
    const { socket } = await logIn(await organization.customer());
    expect(await socket.request('get_chat', {})).toMatchObject(failure('validation'));
    expect(await socket.request('get_chat', { chat_id: 'NOSUCHCHAT' })).toMatchObject(failure('not_found'));
    expect(await socket.request('start_chat', {})).toMatchObject(failure('groups_offline'));
    expect(await socket.request('accept_greeting', { greeting_id: 1, unique_id: 'x' })).toMatchObject(
      failure('greeting_not_found'),
    );
    socket.close();
  });
});

describe('pushes', () => {
  /** Returns the response and the push, in either order, and the push that another socket of the same customer gets. */
  const both = async (customer: Caller, action: string, payload: object, push: string) => {
    const [{ socket: own }, { socket: other }] = [await logIn(customer), await logIn(customer)];
    own.send({ request_id: 'mine', action, payload });
    const frames: Json[] = [];
    while (!frames.some(({ type }) => type === 'response') || !frames.some((one) => one.action === push))
      frames.push(await own.next());
    let seen: Json = await other.next();
    while (seen.action !== push) seen = await other.next();
    own.close();
    other.close();
    expect(seen).not.toHaveProperty('request_id');
    const response = frames.find(({ type }) => type === 'response');
    const pushed = frames.find((one) => one.action === push && one.type === 'push');
    expect(response).toMatchObject({ request_id: 'mine', action, success: true });
    expect(pushed).toMatchObject({ version: '3.5', request_id: 'mine', type: 'push' });
    expect(seen.payload).toEqual(pushed.payload);
    return { response, payload: pushed.payload };
  };

  it('start_chat pushes incoming_chat', async () => {
    const customer = await organization.customer();
    const chat = { thread: { events: [message('hello')] } };
    const { response, payload } = await both(customer, 'start_chat', { continuous: true, chat }, 'incoming_chat');
    expect(payload).toMatchObject({
      requester_id: customer.id,
      chat: {
        id: response.payload.chat_id,
        users: expect.any(Array),
        properties: expect.any(Object),
        access: expect.any(Object),
        thread: { id: response.payload.thread_id, user_ids: [customer.id], events: [{ text: 'hello' }] },
      },
    });
  });

  it('resume_chat pushes incoming_chat', async () => {
    const customer = await organization.customer();
    const { chatId: id } = await startChat(customer);
    await customer.ok('deactivate_chat', { id });
    const { response, payload } = await both(customer, 'resume_chat', { chat: { id } }, 'incoming_chat');
    expect(payload.chat).toMatchObject({ id, thread: { id: response.payload.thread_id } });
  });

  it('send_event pushes incoming_event', async () => {
    const customer = await organization.customer();
    const { chatId: chat_id, threadId: thread_id } = await startChat(customer);
    const { response, payload } = await both(
      customer,
      'send_event',
      { chat_id, event: message('hello', { custom_id: 'c' }) },
      'incoming_event',
    );
    expect(payload).toMatchObject({
      chat_id,
      thread_id,
      event: { id: response.payload.event_id, custom_id: 'c', text: 'hello', author_id: customer.id },
    });
  });

  it('deactivate_chat pushes chat_deactivated', async () => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer);
    const { payload } = await both(customer, 'deactivate_chat', { id: chatId }, 'chat_deactivated');
    expect(payload).toEqual({ chat_id: chatId, thread_id: threadId, user_id: customer.id });
  });

  it.each(['chat', 'thread', 'event'])('property changes of a %s are pushed', async (what) => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer, [message('hello')]);
    const inThread = { chat_id: chatId, thread_id: threadId };
    const ids = { chat: { id: chatId }, thread: inThread, event: { ...inThread, event_id: `${threadId}_1` } }[what]!;
    const updated = { rating: { score: 1 } };
    const one = await both(
      customer,
      `update_${what}_properties`,
      { ...ids, properties: updated },
      `${what}_properties_updated`,
    );
    expect(one.payload).toMatchObject({ chat_id: chatId, properties: updated });
    const deleted = { rating: ['score'] };
    const two = await both(
      customer,
      `delete_${what}_properties`,
      { ...ids, properties: deleted },
      `${what}_properties_deleted`,
    );
    expect(two.payload).toMatchObject({ chat_id: chatId, properties: deleted });
  });

  it('mark_events_as_seen pushes events_marked_as_seen', async () => {
    const customer = await organization.customer();
    const { chatId: chat_id } = await startChat(customer, [message('hello')]);
    const seen_up_to = new Date(Date.now() + 60_000).toISOString();
    const { payload } = await both(customer, 'mark_events_as_seen', { chat_id, seen_up_to }, 'events_marked_as_seen');
    expect(payload).toMatchObject({ user_id: customer.id, chat_id });
  });

  it('update_customer pushes customer_updated', async () => {
    const customer = await organization.customer();
    const { payload } = await both(customer, 'update_customer', { name: 'Ann' }, 'customer_updated');
    expect(payload).toMatchObject({ id: customer.id, name: 'Ann' });
  });

  it('pushes reach only the customers of the chat', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const { socket } = await logIn(other);
    const { chatId: chat_id } = await startChat(customer);
    await customer.ok('send_event', { chat_id, event: message('private') });
    await startChat(other);
    expect(await socket.next()).toMatchObject({ action: 'incoming_chat', payload: { requester_id: other.id } });
    socket.close();
  });

  it('login can select pushes, including unknown names', async () => {
    const customer = await organization.customer();
    const { socket } = await logIn(customer, { pushes: { '3.5': ['incoming_event', 'a_push_of_tomorrow'] } });
    const { chatId: chat_id } = await startChat(customer);
    await customer.ok('send_event', { chat_id, event: message('hello') });
    expect(await socket.next()).toMatchObject({ action: 'incoming_event' });
    socket.close();
  });
});

describe('limits', () => {
  it('requests beyond 10 pending ones are rejected', async () => {
    const { socket } = await logIn(await organization.customer());
    for (let sent = 0; sent < 40; sent++) socket.send({ request_id: String(sent), action: 'list_chats', payload: {} });
    const answers: Json[] = [];
    while (answers.length < 40) answers.push(await socket.next());
    const rejected = answers.filter(({ success }) => !success);
    expect(rejected.length).toBeGreaterThan(0);
    for (const answer of rejected) expect(answer).toMatchObject(failure('pending_requests_limit_reached'));
    expect(answers.filter(({ success }) => success).length).toBeGreaterThanOrEqual(10);
    socket.close();
  });

  it('the server pushes customer_disconnected with a reason before it closes the socket', async () => {
    const customer = await organization.customer();
    const { socket } = await logIn(customer);
    await fetch(`${target.url}/v2/customer/token`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${customer.token}` },
    });
    expect(await socket.next()).toMatchObject({
      type: 'push',
      action: 'customer_disconnected',
      payload: { reason: 'access_token_revoked' },
    });
    await socket.closed;
  });
});
