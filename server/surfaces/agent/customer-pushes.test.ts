import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addBan } from '#server/domain/support/customers/bans.ts';
import { connectCustomer, disconnectCustomer, extendOnline } from '#server/domain/support/visits/presence.ts';
import { recordPage } from '#server/domain/support/visits/record-page.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildGreeting, greet } from '#server/testing/builders/greetings.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

const MINUTE = 60_000;
const HALF_AN_HOUR = 30 * MINUTE;

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let watcher: SocketClient;
const open: SocketClient[] = [];

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
});

const only = [
  ...['incoming_customer', 'customer_visit_started', 'customer_visit_ended', 'customer_page_updated'],
  ...['customer_banned', 'customer_unfollowed', 'incoming_multicast'],
];
const logIn = async (agent: TestAgent, level?: string | null): Promise<SocketClient> => {
  const client = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
  const login = { token: `Bearer ${agent.apiKey}`, pushes: { '3.5': only } };
  const input = level === undefined ? {} : { customer_monitoring_level: level };
  expect(await client.request('login', { ...login, ...input })).toMatchObject({ success: true });
  open.push(client);
  return client;
};
const scope = () => customerScope(organization, customer);
const visit = (url = 'https://shop.test/') => recordPage(scope(), { url });
const tick = () => test.context.background.scheduler.runFrequent();
const pushOf = (action: string, payload: object = { customer_id: customer.id }) => ({ type: 'push', action, payload });

/** All pushes received before a marker push. */
const unreadPushes = async (client: SocketClient): Promise<string[]> => {
  const { id } = await buildCustomer(organization);
  await addBan(organization.scope, { customerId: id, days: 1 });
  const seen: string[] = [];
  for (;;) {
    const { action, payload } = await client.nextPush();
    if (action === 'customer_banned' && payload.customer_id === id) return seen;
    const about = payload.customer_id ?? payload.customer.id;
    if (about === customer.id) seen.push(action);
  }
};

beforeEach(async () => {
  organization = await buildOrganization(test);
  watcher = await logIn(organization.owner, 'online');
  customer = await buildCustomer(organization);
  for (const action of ['incoming_customer', 'customer_visit_started'])
    expect(await watcher.nextPush()).toMatchObject(
      pushOf(action, { customer: { id: customer.id, state: 'browsing', statistics: { visits_count: 1 } } }),
    );
});

describe('a visit', () => {
  it('is pushed once with its pages and once when it ends', async () => {
    await connectCustomer(scope(), { page: { url: 'https://shop.test/1', title: 'One' } });
    expect(await watcher.nextPush()).toMatchObject(
      pushOf('customer_page_updated', { customer_id: customer.id, page: { url: 'https://shop.test/1', title: 'One' } }),
    );
    await disconnectCustomer(organization.scope, customer.id);
    test.clock.advance(74_999);
    await tick();
    test.clock.advance(1);
    const beside = await startTestApp({ beside: test });
    await Promise.all([tick(), tick()]);
    await beside.context.background.scheduler.runFrequent();
    await beside[Symbol.asyncDispose]();
    expect(await watcher.nextPush()).toMatchObject(pushOf('customer_visit_ended'));
    test.clock.advance(HALF_AN_HOUR);
    await tick();
    expect(await unreadPushes(watcher)).toEqual([]);
    const answer = await watcher.request('get_customer', { id: customer.id });
    expect(answer.payload).toMatchObject({
      state: 'offline',
      online: false,
      last_visit: { ended_at: expect.any(String) },
    });
  });

  it('continues while another process has a socket, and when the customer opens the next page', async () => {
    await connectCustomer(scope(), {});
    await disconnectCustomer(organization.scope, customer.id);
    test.clock.advance(MINUTE);
    await extendOnline(organization.scope, [customer.id]);
    test.clock.advance(MINUTE);
    await tick();
    await disconnectCustomer(organization.scope, customer.id);
    test.clock.advance(2000);
    await visit();
    test.clock.advance(HALF_AN_HOUR);
    await tick();
    expect(await unreadPushes(watcher)).toEqual(['customer_page_updated']);
    test.clock.advance(1);
    await tick();
    expect(await unreadPushes(watcher)).toEqual(['customer_visit_ended']);
  });

  it('is reopened when the customer comes back in time, and counted once', async () => {
    await connectCustomer(scope(), {});
    await disconnectCustomer(organization.scope, customer.id);
    test.clock.advance(2 * MINUTE);
    await tick();
    expect(await watcher.nextPush()).toMatchObject(pushOf('customer_visit_ended'));
    await visit();
    expect(await watcher.nextPush()).toMatchObject(
      pushOf('customer_visit_started', { customer: { id: customer.id, statistics: { visits_count: 1 } } }),
    );
    expect(await watcher.nextPush()).toMatchObject({ action: 'customer_page_updated' });
  });

  it('without a recorded end ends when the next one starts', async () => {
    test.clock.advance(HALF_AN_HOUR + 1);
    await visit();
    expect(await unreadPushes(watcher)).toEqual([
      'customer_visit_ended',
      'customer_visit_started',
      'customer_page_updated',
    ]);
  });

  it('that ends while the customer comes back is pushed in order', async () => {
    await connectCustomer(scope(), {});
    await disconnectCustomer(organization.scope, customer.id);
    test.clock.advance(2 * MINUTE);
    await Promise.all([tick(), visit()]);
    const pushes = await unreadPushes(watcher);
    expect([
      ['customer_page_updated'],
      ['customer_visit_ended', 'customer_visit_started', 'customer_page_updated'],
    ]).toContainEqual(pushes);
  });
});

describe('customer_monitoring_level', () => {
  it.each([undefined, null, 'my', 'unheard of'])(
    '%s: sends events about customers in the agent’s chats and followed customers',
    async (level) => {
      const agent = await buildAgent(organization);
      const client = await logIn(agent, level);
      await visit();
      expect(await unreadPushes(client)).toEqual([]);
      expect(await client.request('follow_customer', { id: customer.id })).toMatchObject({ success: true });
      expect(await client.nextPush()).toMatchObject(
        pushOf('incoming_customer', { customer: { id: customer.id, followed: true } }),
      );
      await visit();
      expect(await unreadPushes(client)).toEqual(['customer_page_updated']);
      expect(await client.request('unfollow_customer', { id: customer.id })).toMatchObject({ success: true });
      expect(await client.nextPush()).toMatchObject(pushOf('customer_unfollowed'));
      await client.request('unfollow_customer', { id: customer.id });
      await visit();
      expect(await unreadPushes(client)).toEqual([]);
      expect(await unreadPushes(watcher)).not.toContain('customer_unfollowed');
    },
  );

  it('my: the agent of a chat gets events about its customer', async () => {
    await buildChat(organization, customer);
    const client = await logIn(organization.owner, 'my');
    await visit();
    expect(await unreadPushes(client)).toEqual(['customer_page_updated']);
  });

  it('chatting and invited include the previous level', async () => {
    const [one, two] = [await buildAgent(organization), await buildAgent(organization)];
    const [chatting, invited] = [await logIn(one, 'chatting'), await logIn(two, 'invited')];
    await visit();
    expect(await unreadPushes(chatting)).toEqual([]);
    expect(await unreadPushes(invited)).toEqual([]);
    await buildGreeting(organization);
    expect(await greet(organization, customer)).toBeDefined();
    await visit();
    expect(await unreadPushes(chatting)).toEqual([]);
    expect(await unreadPushes(invited)).toEqual(['customer_page_updated']);
    await buildChat(organization, customer);
    await visit();
    expect(await unreadPushes(chatting)).toEqual(['customer_page_updated']);
    expect(await unreadPushes(invited)).toEqual(['customer_page_updated']);
  });

  it('stays unchanged when the credential is checked again', async () => {
    test.clock.advance(2000);
    expect(await watcher.request('list_customers')).toMatchObject({ success: true, payload: { total_customers: 1 } });
    await visit();
    expect(await unreadPushes(watcher)).toEqual(['customer_page_updated']);
  });
});

describe('customer_banned', () => {
  it('is sent to all agents of the organization, and to the requester with the request id', async () => {
    const other = await buildOrganization(test);
    const stranger = await logIn(other.owner, 'online');
    const answer = await watcher.request('ban_customer', { id: customer.id, ban: { days: 3 } }, { request_id: 'b' });
    expect(answer).toMatchObject({ success: true, request_id: 'b' });
    expect(await watcher.nextPush()).toMatchObject({
      ...pushOf('customer_banned', { customer_id: customer.id, ban: { days: 3 } }),
      request_id: 'b',
    });
    await addBan(organization.scope, { ip: '203.0.113.7', days: 1 });
    expect(await watcher.nextPush()).toMatchObject(pushOf('customer_banned', { ip: '203.0.113.7', ban: { days: 1 } }));
    expect(stranger.unread()).toEqual([]);
  });
});

it('a new token does not start another visit', async () => {
  customer = await renewToken(organization, customer);
  expect(await unreadPushes(watcher)).toEqual([]);
});
