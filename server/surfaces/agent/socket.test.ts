import { beforeAll, describe, expect, it } from 'vitest';
import { organizationTopic, writeEvent } from '#server/domain/events.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

const SALES = 7;
const LOGIN_SWEEPS = 7;

const test = useTestApp();
let address: string;
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  address = test.app.listeningOrigin;
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
});

const connect = (query = '', options = {}) => connectSocket(`${address}/v3.5/agent/rtm/ws${query}`, options);
const logIn = async (agent: TestAgent): Promise<SocketClient> => {
  const client = await connect();
  // Keeps the status, so that no push is sent.
  const login = { token: `Bearer ${agent.apiKey}`, reconnect: true };
  expect(await client.request('login', login)).toMatchObject({ success: true });
  return client;
};
const asCustomer = async (operation: string, body: object, of = organization, by = customer) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/v3.5/customer/action/${operation}?organization_id=${of.id}`,
    headers: { authorization: `Bearer ${by.token}` },
    payload: body,
  });
  return response.json();
};
const message = (text: string, more: object = {}) => ({ type: 'message', text, ...more });
const startChat = (groupIds = [0]) => {
  test.clock.advance(1000);
  return asCustomer('start_chat', {
    chat: { access: { group_ids: groupIds }, thread: { events: [message('Hello')] } },
    continuous: true,
  });
};
const failure = (type: string) => ({ type: 'response', success: false, payload: { error: { type } } });

describe('login', () => {
  it('returns the license, the profile and the chats', async () => {
    const { chat_id } = await startChat();
    const client = await connect(`?organization_id=${organization.id}`);
    const answer = await client.request('login', { token: organization.owner.basic }, { request_id: 'a' });
    expect(answer).toMatchObject({
      request_id: 'a',
      action: 'login',
      success: true,
      payload: {
        license: { id: organization.licenseNumber, organization_id: organization.id, plan: 'team', in_trial: true },
        my_profile: { id: organization.owner.login, type: 'agent', permission: 'owner' },
      },
    });
    expect(answer.payload.chats_summary.map(({ id }: { id: string }) => id)).toContain(chat_id);
    expect(await client.request('login', { token: organization.owner.basic })).toMatchObject(failure('validation'));
    await client.close();
  });

  it('rejects invalid tokens, allows another attempt, and serves nothing before', async () => {
    const client = await connect();
    expect(await client.request('login', { token: 'Bearer dal-wrong' })).toMatchObject(failure('authentication'));
    expect(await client.request('login', { token: organization.owner.apiKey })).toMatchObject(
      failure('authentication'),
    );
    expect(await client.request('login', {})).toMatchObject(failure('validation'));
    expect(await client.request('list_chats', {})).toMatchObject(failure('authentication'));
    const { apiKey } = organization.owner;
    expect(await client.request('login', { token: `Bearer ${apiKey}` })).toMatchObject({ success: true });
    await client.close();
  });

  it('rejects an organization that does not match the credential', async () => {
    const client = await connect(`?organization_id=${crypto.randomUUID()}`);
    expect(await client.request('login', { token: organization.owner.basic })).toMatchObject(failure('authentication'));
    await client.close();
  });

  it('must happen before the timeout', async () => {
    const [silent, loggedIn] = [await connect(), await logIn(organization.owner)];
    for (let sweep = 0; sweep < LOGIN_SWEEPS; sweep++) {
      test.app.sockets.sweep();
      expect(await loggedIn.request('ping')).toMatchObject({ success: true });
    }
    expect(await silent.closed).toBe(1008);
    await loggedIn.close();
  });
});

describe('a request', () => {
  it('can be a ping before the login, with or without a payload', async () => {
    const client = await connect();
    const pong = { action: 'ping', type: 'response', success: true, payload: {} };
    expect(await client.request('ping')).toEqual(pong);
    expect(await client.request('ping', {}, { request_id: 7 })).toEqual({ ...pong, request_id: 7 });
    await client.close();
  });

  it('calls the operation of the same name', async () => {
    const { chat_id, thread_id } = await startChat();
    const client = await logIn(organization.owner);
    const sent = await client.request('send_event', { chat_id, event: message('Hi') }, { version: '3.5' });
    expect(sent).toMatchObject({ action: 'send_event', success: true, payload: { event_id: `${thread_id}_2` } });
    const { payload } = await client.request('list_chats', { limit: 1 });
    expect(payload.chats_summary[0].last_event_per_type.message.event.text).toBe('Hi');
    expect(await client.request('send_event', { chat_id, event: { type: 'form' } })).toMatchObject(
      failure('validation'),
    );
    expect(await client.request('send_event', { chat_id: 'X', event: message('Hi') })).toMatchObject(
      failure('not_found'),
    );
    expect(await client.request('dance', {})).toMatchObject(failure('validation'));
    expect(await client.request('list_chats', {}, { version: '3.4' })).toMatchObject(failure('unsupported_version'));
    await client.close();
  });

  it('are processed in order, and too many pending requests are rejected', async () => {
    const { chat_id } = await startChat();
    const client = await logIn(organization.owner);
    const texts = Array.from({ length: 11 }, (_, at) => `Message ${at}`);
    for (const text of texts) {
      const payload = { chat_id, event: message(text) };
      client.socket.send(JSON.stringify({ action: 'send_event', request_id: text, payload }));
    }
    const answers = await Promise.all(texts.map(client.nextResponse));
    expect(answers.filter(({ success }) => !success)).toMatchObject([
      { request_id: texts[10], ...failure('pending_requests_limit_reached') },
    ]);
    const { thread } = await asCustomer('get_chat', { chat_id });
    expect(thread.events.slice(1).map(({ text }: { text: string }) => text)).toEqual(texts.slice(0, 10));
    await client.close();
  });

  it.each([
    ['broken JSON', '{"action":'],
    ['no object', '"ping"'],
    ['no action', '{}'],
    ['a payload that is not an object', '{"action":"ping","payload":[1]}', 'ping'],
    ['a repeated key', '{"action":"ping","action":"login"}'],
    ['excessive nesting', `{"action":"ping","payload":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`],
    ['the key __proto__', '{"action":"ping","payload":{"__proto__":{}}}'],
    ['a NUL', '{"action":"ping\\u0000"}'],
  ])('with %s is rejected and the socket stays open', async (_, frame, action = '') => {
    const client = await connect();
    client.socket.send(frame);
    expect(await client.nextResponse()).toMatchObject({ action, ...failure('validation') });
    expect(await client.request('ping')).toMatchObject({ success: true });
    await client.close();
  });

  it('closes the socket if it is binary or too large', async () => {
    const binary = await connect();
    binary.socket.send(Buffer.from('{"action":"ping"}'), { binary: true });
    expect(await binary.closed).toBe(1003);
    const large = await connect();
    large.socket.send('x'.repeat(64 * 1024 + 1));
    expect(await large.closed).toBe(1009);
  });
});

describe('pushes', () => {
  it('report a chat from its start to its end', async () => {
    const client = await logIn(organization.owner);
    const { chat_id, thread_id } = await startChat();
    const started = await client.nextPush();
    expect(started).toMatchObject({ version: '3.5', action: 'incoming_chat' });
    expect(started.payload).toMatchObject({
      requester_id: customer.id,
      chat: { id: chat_id, thread: { id: thread_id } },
    });
    expect(started.payload.chat.thread.events).toMatchObject([{ text: 'Hello', author_id: customer.id }]);
    await asCustomer('send_event', { chat_id, event: message('Anyone?') });
    expect(await client.nextPush()).toMatchObject({
      action: 'incoming_event',
      payload: { chat_id, thread_id, event: { id: `${thread_id}_2`, text: 'Anyone?', visibility: 'all' } },
    });
    await asCustomer('deactivate_chat', { id: chat_id });
    expect(await client.nextPush()).toMatchObject({ payload: { event: { type: 'system_message' } } });
    expect(await client.nextPush()).toMatchObject({
      action: 'chat_deactivated',
      payload: { chat_id, thread_id, user_id: customer.id },
    });
    await client.close();
  });

  it('reach agents who can access the chat, including notes, and no others', async () => {
    const elsewhere = await buildOrganization(test);
    const clients = {
      owner: await logIn(organization.owner),
      inSales: await logIn(await buildAgent(organization, { groupIds: [SALES] })),
      normal: await logIn(await buildAgent(organization)),
      foreign: await logIn(elsewhere.owner),
    };
    const { chat_id } = await startChat([SALES]);
    const note = message('Careful', { visibility: 'agents' });
    expect(await clients.owner.request('send_event', { chat_id, event: note })).toMatchObject({ success: true });
    for (const client of [clients.owner, clients.inSales]) {
      expect((await client.nextPush()).action).toBe('incoming_chat');
      expect((await client.nextPush()).payload.event).toMatchObject({ text: 'Careful', visibility: 'agents' });
    }
    for (const client of [clients.normal, clients.foreign]) {
      expect(await client.request('ping')).toMatchObject({ success: true });
      expect(client.unread()).toEqual([]);
    }
    for (const client of Object.values(clients)) await client.close();
  });

  it('disconnect a reader that does not read', async () => {
    const client = await logIn(organization.owner);
    const { chat_id, thread_id } = await startChat();
    await client.nextPush();
    client.socket.pause();
    const text = 'x'.repeat(1024 * 1024);
    const inChat = { organizationId: organization.id, chatId: chat_id, threadId: thread_id, customerId: customer.id };
    const sent = 40;
    for (let number = 2; number < 2 + sent; number++) {
      const event = {
        id: `${thread_id}_${number}`,
        chatId: chat_id,
        threadId: thread_id,
        number,
        author: { kind: 'customer' as const, id: customer.id },
        createdAt: test.clock.now(),
        content: { type: 'message' as const, text },
        visibility: 'all' as const,
        properties: {},
      };
      const announced = writeEvent({ type: 'event_sent', ...inChat, groupIds: [0], event });
      test.context.ports.bus.publish(organizationTopic(organization.id), announced);
    }
    // Lets the bus deliver first.
    await new Promise(setImmediate);
    client.socket.resume();
    expect(await client.closed).toBe(1006);
    expect(client.unread().length).toBeLessThan(sent);
  });
});
