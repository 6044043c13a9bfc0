import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCurrentVisit } from '#server/domain/support/visits/current-visit.ts';
import {
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAs, message } from '#server/testing/http/call-customer.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { failure, type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;
let client: SocketClient;

beforeAll(async () => {
  test = await startListeningApp();
  organization = await buildOrganization(test);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await buildCustomer(organization);
  client = await test.logIn(organization, customer);
});

/** The response and the push of a request, in order of arrival. */
const ask = async (asker: SocketClient, action: string, payload: object) => {
  const order: string[] = [];
  const listen = (data: unknown) => order.push(JSON.parse(String(data)).type);
  asker.socket.on('message', listen);
  const [answer, push] = await Promise.all([
    asker.request(action, payload, { request_id: `my ${action}` }),
    asker.nextPush(),
  ]);
  asker.socket.off('message', listen);
  return { answer, push, order };
};

const start = () => ask(client, 'start_chat', { continuous: true, chat: { thread: { events: [message('Hello')] } } });

describe('over a socket', () => {
  it('start, send, deactivate and resume are answered before their pushes, both with the request id', async () => {
    const started = await start();
    const { chat_id, thread_id, event_ids } = started.answer.payload;
    expect(event_ids).toHaveLength(1);
    expect(started.answer).toMatchObject({ request_id: 'my start_chat', success: true });
    expect(started.push).toMatchObject({
      version: '3.5',
      request_id: 'my start_chat',
      action: 'incoming_chat',
      payload: { requester_id: customer.id, chat: { id: chat_id, thread: { id: thread_id, active: true } } },
    });
    const sent = await ask(client, 'send_event', { chat_id, event: message('Anyone?') });
    expect(sent.push).toMatchObject({
      request_id: 'my send_event',
      action: 'incoming_event',
      payload: { chat_id, thread_id, event: { id: sent.answer.payload.event_id, text: 'Anyone?' } },
    });
    const closed = await ask(client, 'deactivate_chat', { id: chat_id });
    expect(closed.answer).toMatchObject({ success: true, payload: {} });
    expect(closed.push).toMatchObject({ action: 'incoming_event', payload: { event: { type: 'system_message' } } });
    expect(await client.nextPush()).toMatchObject({
      action: 'chat_deactivated',
      payload: { chat_id, thread_id, user_id: customer.id },
    });
    const resumed = await ask(client, 'resume_chat', { chat: { id: chat_id }, continuous: true });
    expect(resumed.push).toMatchObject({
      request_id: 'my resume_chat',
      action: 'incoming_chat',
      payload: { chat: { id: chat_id, thread: { id: resumed.answer.payload.thread_id } } },
    });
    for (const { order } of [started, sent, closed, resumed]) expect(order.slice(0, 2)).toEqual(['response', 'push']);
    await client.close();
  });

  it('other sockets get the same pushes without the request id, including those of the same customer', async () => {
    const tab = await test.logIn(organization, await renewToken(organization, customer));
    const agent = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
    await agent.request('login', { token: organization.owner.basic });
    const { chat_id } = (await start()).answer.payload;
    await ask(client, 'send_event', { chat_id, event: message('Anyone?') });
    for (const other of [tab, agent]) {
      for (const action of ['incoming_chat', 'incoming_event']) {
        const push = await other.nextPush();
        expect(push.action).toBe(action);
        expect(push).not.toHaveProperty('request_id');
      }
    }
    const answered = await ask(agent, 'send_event', { chat_id, event: message('Hi') });
    expect(answered.push).toMatchObject({ request_id: 'my send_event', payload: { event: { text: 'Hi' } } });
    const push = await client.nextPush();
    expect(push).toMatchObject({ action: 'incoming_event', payload: { event: { text: 'Hi' } } });
    expect(push).not.toHaveProperty('request_id');
    expect(push.payload.event.author_id).not.toContain('@');
    for (const socket of [client, tab, agent]) await socket.close();
  });

  it('reads return the same as over HTTP', async () => {
    const { chat_id, thread_id } = (await start()).answer.payload;
    const call = callAs(test, organization, customer);
    for (const [operation, payload] of [
      ['list_chats', {}],
      ['list_threads', { chat_id }],
      ['get_chat', { chat_id, thread_id }],
    ] as const) {
      const overSocket = await client.request(operation, payload, { version: '3.5' });
      expect(overSocket).toMatchObject({ action: operation, success: true });
      expect(overSocket.payload).toEqual((await call(operation, payload)).body);
    }
    await client.close();
  });

  it('query parameters of HTTP are sent in the payload', async () => {
    const listed = await client.request('list_license_properties', { namespace: null, name: undefined });
    expect(listed).toMatchObject({ action: 'list_license_properties', success: true });
    expect(await client.request('list_group_properties', { id: 0 })).toMatchObject({ success: true });
    expect(await client.request('list_group_properties', {})).toMatchObject(failure('validation'));
    const { payload } = await client.request('get_customer');
    expect(payload).toMatchObject({ id: customer.id, statistics: { chats_count: 0 } });
    await client.close();
  });

  it('errors are the same as over HTTP', async () => {
    expect(await client.request('get_chat', { chat_id: 'NOSUCHCHAT' })).toMatchObject(failure('not_found'));
    expect(await client.request('send_event', {})).toMatchObject(failure('validation'));
    expect(await client.request('dance', {})).toMatchObject(failure('validation'));
    expect(await client.request('list_chats', {}, { version: '3.4' })).toMatchObject(failure('unsupported_version'));
    await client.close();
  });

  it('a retried event is answered and pushed again only to its sender', async () => {
    const other = await test.logIn(organization, customer);
    const { chat_id } = (await start()).answer.payload;
    const event = message('Once', { custom_id: 'once' });
    const first = await ask(client, 'send_event', { chat_id, event });
    const again = await ask(client, 'send_event', { chat_id, event });
    expect(again.answer.payload).toEqual(first.answer.payload);
    expect(again.push).toEqual(first.push);
    expect(again.order).toEqual(['response', 'push']);
    await other.request('ping');
    expect(other.unread().filter((action) => action === 'incoming_event')).toHaveLength(1);
    await Promise.all([client.close(), other.close()]);
  });

  it('an invalid frame is rejected with its action name', async () => {
    const next = new Promise((resolve) => client.socket.once('message', (data) => resolve(JSON.parse(String(data)))));
    client.socket.send(JSON.stringify({ action: 'get_chat', request_id: 'mine', payload: 'x' }));
    expect(await next).toMatchObject({ action: 'get_chat', request_id: 'mine', ...failure('validation') });
    await client.close();
  });

  it('ten requests may be in flight, and they are processed in order', async () => {
    const { chat_id } = (await start()).answer.payload;
    const texts = Array.from({ length: 11 }, (_, at) => `Message ${at}`);
    for (const text of texts) {
      const payload = { chat_id, event: message(text) };
      client.socket.send(JSON.stringify({ action: 'send_event', request_id: text, payload }));
    }
    const answers = await Promise.all(texts.map(client.nextResponse));
    expect(answers.filter(({ success }) => !success)).toMatchObject([
      { request_id: texts[10], ...failure('pending_requests_limit_reached') },
    ]);
    for (const text of texts.slice(0, 10))
      expect(await client.nextPush()).toMatchObject({ request_id: text, payload: { event: { text } } });
    await client.close();
  });

  it('the current page is added to the visit', async () => {
    const page = { url: 'https://shop.test/cart', title: 'Cart' };
    expect(await client.request('update_customer_page', page)).toMatchObject({ success: true, payload: {} });
    expect(await client.request('update_customer_page', { url: 'javascript:1' })).toMatchObject(failure('validation'));
    const { scope } = organization;
    const visit = await findCurrentVisit(scope, customer.id);
    const pages = await scope.from('visitPages').where('visitId', '=', visit!.id).select(['url', 'title']).execute();
    expect(pages).toEqual([page]);
    await client.close();
  });
});
