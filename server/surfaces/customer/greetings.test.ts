import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LoginResponse } from '#contracts/customer/login.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { deleteGreeting, updateGreeting } from '#server/domain/support/greetings/manage-greetings.ts';
import { compileResponseCheck } from '#server/http/validation.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildGreeting, greet } from '#server/testing/builders/greetings.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import type { SocketClient } from '#server/testing/http/connect-socket.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;

beforeAll(async () => {
  test = await startListeningApp();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
});

const loginAnswerError = compileResponseCheck(LoginResponse);
const open = (client: SocketClient, url: string) => client.request('update_customer_page', { url });
const onPage = (value: string) => [{ type: 'url_current' as const, value }];
const afterSeconds = (value: string) => [{ type: 'visit_time_page' as const, value }];
const displays = () => organization.scope.from('greetingDisplays').selectAll().orderBy('greetingId').execute();
const statistics = async () => (await call('get_customer')).body.statistics;

/** Waits until everything triggered so far has arrived. */
const unreadPushes = async (client: SocketClient): Promise<string[]> => {
  await test.context.realtime.greeter.tick();
  await client.request('ping');
  return client.unread().filter((action) => action !== 'customer_updated');
};

describe('incoming_greeting', () => {
  it('is sent when the rules match, in the name of an agent, once per visit', async () => {
    const greeting = await buildGreeting(organization, { message: 'The shoes fit?', rules: onPage('/shoes') });
    const client = await test.logIn(organization, customer);
    await open(client, 'https://shop.test/');
    expect(await unreadPushes(client)).toEqual([]);
    await open(client, 'https://shop.test/shoes');
    const { action, payload } = await client.nextPush();
    expect(action).toBe('incoming_greeting');
    expect(payload).toMatchObject({
      id: greeting.id,
      displayed_first_time: true,
      is_exit_intent: false,
      event: { type: 'message', text: 'The shoes fit?', author_id: payload.agent.id },
      agent: { type: 'agent', name: 'Olga Owner', is_bot: false },
    });
    expect(JSON.stringify(payload)).not.toContain(organization.owner.login);
    await call('accept_greeting', { greeting_id: greeting.id, unique_id: payload.unique_id });
    await client.nextPush();
    await open(client, 'https://shop.test/');
    await open(client, 'https://shop.test/shoes');
    expect(await unreadPushes(client)).toEqual([]);
    expect(await statistics()).toMatchObject({ greetings_shown_count: 1, greetings_accepted_count: 1 });
    await client.close();
  });

  it('is sent after the login with the page, and again in the next visit', async () => {
    await buildGreeting(organization, { rules: onPage('/shoes') });
    const page = { customer_page: { url: 'https://shop.test/shoes' } };
    const client = await test.logIn(organization, customer, page);
    expect((await client.nextPush()).action).toBe('incoming_greeting');
    await client.close();
    test.clock.advance(31 * 60_000);
    const again = await test.logIn(organization, customer, page);
    expect((await again.nextPush()).action).toBe('incoming_greeting');
    expect(await displays()).toHaveLength(2);
    await again.close();
  });

  it('is sent after a delay, even across another login', async () => {
    await buildGreeting(organization, { rules: afterSeconds('30') });
    const page = { customer_page: { url: 'https://shop.test/' } };
    const first = await test.logIn(organization, customer, page);
    test.clock.advance(20_000);
    expect(await unreadPushes(first)).toEqual([]);
    await first.close();
    const client = await test.logIn(organization, customer);
    test.clock.advance(9_999);
    expect(await unreadPushes(client)).toEqual([]);
    test.clock.advance(1);
    await test.context.realtime.greeter.tick();
    expect((await client.nextPush()).action).toBe('incoming_greeting');
    await client.close();
  });

  it('restarts the delay when the visitor opens another page', async () => {
    await buildGreeting(organization, { rules: [...afterSeconds('30'), ...onPage('/shoes')] });
    const client = await test.logIn(organization, customer, { customer_page: { url: 'https://shop.test/shoes' } });
    test.clock.advance(20_000);
    await open(client, 'https://shop.test/cart');
    test.clock.advance(60_000);
    expect(await unreadPushes(client)).toEqual([]);
    await client.close();
  });

  it('is sent when session fields match', async () => {
    const rule = { type: 'custom_variable' as const, variableName: 'plan', variableValue: 'gold' };
    await buildGreeting(organization, { rules: [rule] });
    const client = await test.logIn(organization, customer, { customer_page: { url: 'https://shop.test/' } });
    expect(await unreadPushes(client)).toEqual([]);
    await call('set_customer_session_fields', { session_fields: [{ plan: 'gold' }] });
    expect(await unreadPushes(client)).toEqual(['incoming_greeting']);
    await client.close();
  });

  it('is sent one at a time, the next one on the next page', async () => {
    const [first, second] = [await buildGreeting(organization), await buildGreeting(organization)];
    const client = await test.logIn(organization, customer, { customer_page: { url: 'https://shop.test/' } });
    const { payload } = await client.nextPush();
    expect(payload.id).toBe(first.id);
    await open(client, 'https://shop.test/2');
    expect(await unreadPushes(client)).toEqual([]);
    await call('cancel_greeting', { unique_id: payload.unique_id });
    expect(await client.nextPush()).toMatchObject({
      action: 'greeting_canceled',
      payload: { unique_id: payload.unique_id },
    });
    await open(client, 'https://shop.test/3');
    expect((await client.nextPush()).payload.id).toBe(second.id);
    await client.close();
  });

  it('is not sent to customers with an active chat', async () => {
    await buildGreeting(organization);
    await buildChat(organization, customer);
    expect(await greet(organization, customer)).toBeUndefined();
  });

  it('requires an agent who accepts chats', async () => {
    await buildGreeting(organization);
    await setAgentStatus(organization.scope, { login: organization.owner.login, status: 'not accepting chats' });
    expect(await greet(organization, customer)).toBeUndefined();
  });

  it('requires an existing, active and complete greeting of the group of the page', async () => {
    const groupId = await buildGroup(organization, 5);
    const { scope } = organization;
    await updateGreeting(scope, { id: (await buildGreeting(organization)).id, active: false });
    await deleteGreeting(scope, { id: (await buildGreeting(organization)).id });
    await buildGreeting(organization, { message: '' });
    await buildGreeting(organization, { rules: [] });
    const elsewhere = await buildGreeting(organization, { groupId });
    expect(await greet(organization, customer)).toBeUndefined();
    await scope.insert('agentGroups', { agentId: organization.owner.login, groupId }).execute();
    const client = await test.logIn(organization, customer, { group_id: groupId });
    expect((await client.nextPush()).payload.id).toBe(elsewhere.id);
    await client.close();
  });

  it('is sent once by two concurrent processes', async () => {
    await using other = await startListeningApp({ beside: test });
    await buildGreeting(organization, { rules: afterSeconds('10') });
    await buildGreeting(organization, { rules: afterSeconds('10') });
    const page = { customer_page: { url: 'https://shop.test/' } };
    const clients = [
      await test.logIn(organization, customer, page),
      await other.logIn(organization, customer),
    ] as const;
    test.clock.advance(10_000);
    await Promise.all([test.context.realtime.greeter.tick(), other.context.realtime.greeter.tick()]);
    for (const client of clients) await client.request('ping');
    expect(clients.flatMap((client) => client.unread())).toEqual(['incoming_greeting']);
    expect(await displays()).toHaveLength(1);
    expect(await statistics()).toMatchObject({ greetings_shown_count: 1 });
    for (const client of clients) await client.close();
  });
});

describe('login', () => {
  it('returns the greeting that is still displayed', async () => {
    const { id } = await buildGreeting(organization);
    const uniqueId = await greet(organization, customer);
    const login = async () => {
      const client = await test.connect(organization);
      const { payload } = await client.request('login', { token: `Bearer ${customer.token}` });
      expect(loginAnswerError(payload)).toBeUndefined();
      expect(await unreadPushes(client)).toEqual([]);
      await client.close();
      return payload.greeting;
    };
    expect(await login()).toMatchObject({ id, unique_id: uniqueId, displayed_first_time: false, accepted: false });
    await call('accept_greeting', { greeting_id: id, unique_id: uniqueId });
    expect(await login()).toMatchObject({ unique_id: uniqueId, accepted: true });
    await call('cancel_greeting', { unique_id: uniqueId });
    expect(await login()).toBeUndefined();
  });

  it('does not return a greeting of an earlier visit', async () => {
    await buildGreeting(organization, { rules: onPage('/shoes') });
    const first = await test.logIn(organization, customer, { customer_page: { url: 'https://shop.test/shoes' } });
    await first.nextPush();
    await first.close();
    test.clock.advance(31 * 60_000);
    const client = await test.connect(organization);
    const { payload } = await client.request('login', { token: `Bearer ${customer.token}` });
    expect(payload).not.toHaveProperty('greeting');
    await client.close();
  });
});

describe('accept_greeting', () => {
  it('counts once, is pushed to every tab, and can be repeated', async () => {
    const { id } = await buildGreeting(organization);
    const uniqueId = await greet(organization, customer);
    const tab = await test.logIn(organization, customer);
    for (let times = 0; times < 2; times++)
      expect(await call('accept_greeting', { greeting_id: id, unique_id: uniqueId })).toMatchObject({
        status: 200,
        body: {},
      });
    expect(await tab.nextPush()).toMatchObject({ action: 'greeting_accepted', payload: { unique_id: uniqueId } });
    expect(await unreadPushes(tab)).toEqual([]);
    expect(await statistics()).toMatchObject({ greetings_accepted_count: 1 });
    await tab.close();
  });

  it('does not restore a canceled greeting, but an accepted one can be canceled', async () => {
    const { id } = await buildGreeting(organization);
    const uniqueId = await greet(organization, customer);
    await call('cancel_greeting', { unique_id: uniqueId });
    expect(await call('accept_greeting', { greeting_id: id, unique_id: uniqueId })).toMatchObject({ status: 200 });
    expect((await displays())[0]).toMatchObject({ acceptedAt: null, canceledAt: expect.any(Date) });

    const second = await buildGreeting(organization);
    const other = await greet(organization, customer);
    await call('accept_greeting', { greeting_id: second.id, unique_id: other });
    await call('cancel_greeting', { unique_id: other });
    expect(await call('cancel_greeting', { unique_id: other })).toMatchObject({ status: 200, body: {} });
    expect((await displays())[1]).toMatchObject({ acceptedAt: expect.any(Date), canceledAt: expect.any(Date) });
  });

  it('accepts only greetings of the customer', async () => {
    const { id } = await buildGreeting(organization);
    const uniqueId = await greet(organization, customer);
    const elsewhere = await buildOrganization(test);
    const strangers = [
      callAs(test, organization, await buildCustomer(organization)),
      callAs(test, elsewhere, await buildCustomer(elsewhere)),
    ];
    const notFound = errorResponse(404, 'greeting_not_found');
    for (const stranger of strangers) {
      expect(await stranger('accept_greeting', { greeting_id: id, unique_id: uniqueId })).toMatchObject(notFound);
      expect(await stranger('cancel_greeting', { unique_id: uniqueId })).toMatchObject(notFound);
    }
    expect(await call('accept_greeting', { greeting_id: id + 1, unique_id: uniqueId })).toMatchObject(notFound);
    expect(await call('accept_greeting', { greeting_id: id, unique_id: 'UNKNOWN' })).toMatchObject(notFound);
    expect((await displays())[0]).toMatchObject({ acceptedAt: null, canceledAt: null });
  });

  it.each([
    [{}],
    [{ greeting_id: 1 }],
    [{ unique_id: 'A' }],
    [{ greeting_id: '1', unique_id: 'A' }],
    [{ greeting_id: 1.5, unique_id: 'A' }],
    [{ greeting_id: 1, unique_id: '' }],
  ])('rejects %j', async (body) => {
    expect(await call('accept_greeting', body)).toMatchObject(errorResponse(400, 'validation'));
  });
});

describe('a chat that a greeting led to', () => {
  const begin = async () => {
    const { body } = await call('start_chat', { chat: { thread: { properties: {} } }, continuous: true });
    const { body: chat } = await call('get_chat', { chat_id: body.chat_id });
    return { chatId: body.chat_id as string, properties: chat.thread.properties };
  };

  it('contains the greeting in its first thread only', async () => {
    const { id } = await buildGreeting(organization);
    const uniqueId = await greet(organization, customer);
    await call('accept_greeting', { greeting_id: id, unique_id: uniqueId });
    const { chatId, properties } = await begin();
    expect(properties).toEqual({ lc2: { greeting_id: id, greeting_unique_id: uniqueId } });
    await call('deactivate_chat', { id: chatId });
    await call('resume_chat', { chat: { id: chatId }, continuous: true });
    expect((await call('get_chat', { chat_id: chatId })).body.thread.properties).toEqual({});
  });

  it.each(['not accepted', 'canceled', 'of an earlier visit'])(
    'has no greeting when the greeting was %s',
    async (how) => {
      const { id } = await buildGreeting(organization);
      const uniqueId = await greet(organization, customer);
      if (how !== 'not accepted') await call('accept_greeting', { greeting_id: id, unique_id: uniqueId });
      if (how === 'canceled') await call('cancel_greeting', { unique_id: uniqueId });
      if (how === 'of an earlier visit') {
        test.clock.advance(31 * 60_000);
        call = callAs(test, organization, await renewToken(organization, customer));
      }
      expect((await begin()).properties).toEqual({});
    },
  );
});
