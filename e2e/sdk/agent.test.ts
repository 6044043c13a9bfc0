import { Agent } from '@livechat/lc-sdk-js';
import { afterAll, describe, expect, it } from 'vitest';
import { newTeam, openChat, openTarget, type Team } from '../conformance/agent/index.ts';
import type { Caller } from '../conformance/customer/call.ts';
import { startTlsProxy } from './tls-proxy.ts';

// The client only supports TLS, and the proxy has a self-signed certificate. Only this process trusts it.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

const target = await openTarget();
const proxy = await startTlsProxy(target.url);
afterAll(async () => {
  await proxy.close();
  await target.close();
});

const VERSION = '3.5';

// biome-ignore lint/suspicious/noExplicitAny: responses are read without types.
type Json = any;
/** Both clients have the same methods, with a few exceptions. */
type Client = Record<string, (...args: Json[]) => Promise<Json>>;

const allMethods = (client: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter((name) => name !== 'constructor');

/** Records which methods were called. */
const recordCalls = (client: object) => {
  const called = new Set<string>();
  const call = (name: string, ...args: unknown[]): Promise<Json> => {
    called.add(name);
    return (client as Client)[name]!(...args);
  };
  return { call, uncalled: () => allMethods(client).filter((name) => !called.has(name)) };
};
type Call = ReturnType<typeof recordCalls>['call'];

/** The Web client throws the error itself, the RTM client the payload that contains it. */
const errorType = async (call: Promise<unknown>): Promise<string> => {
  const thrown = (await call.then(
    () => ({ type: 'none: it succeeded' }),
    (error) => error,
  )) as Json;
  return (thrown.error ?? thrown).type;
};

const card = {
  type: 'rich_message',
  template_id: 'cards',
  elements: [{ title: 'Shoes', buttons: [{ text: 'Buy', postback_id: 'buy', user_ids: [] }] }],
};

/** Calls the chat methods that both clients have, in a realistic order. */
const callChatMethods = async (call: Call, { owner }: Team, customer: Caller, colleagueId: string): Promise<void> => {
  const { chat_id: chatId, thread_id: threadId } = await openChat(customer);
  expect(await call('listChats', { filters: { include_active: true }, limit: 10 })).toMatchObject({
    chats_summary: expect.arrayContaining([expect.objectContaining({ id: chatId, active: true })]),
    found_chats: expect.any(Number),
  });
  expect(await call('getChat', chatId)).toMatchObject({ id: chatId, is_followed: false, thread: { id: threadId } });
  expect(await call('getChat', chatId, threadId)).toMatchObject({ thread: { id: threadId } });
  expect(await call('listThreads', chatId, { limit: 2 })).toMatchObject({
    threads: [{ id: threadId }],
    found_threads: 1,
  });
  expect(await call('followChat', chatId)).toEqual({});
  expect(await call('unfollowChat', chatId)).toEqual({});
  expect(await call('addUserToChat', chatId, owner.id, 'agent', 'all')).toEqual({});
  expect(await call('addUserToChat', chatId, colleagueId, 'agent', 'agents', true)).toEqual({});
  expect(await call('removeUserFromChat', chatId, colleagueId)).toEqual({});

  const { event_id: cardId } = await call('sendEvent', chatId, card);
  await call('sendEvent', chatId, { type: 'message', text: 'between us', visibility: 'agents' }, true);
  const postback = { id: 'buy', toggled: true };
  const onCard = { chat_id: chatId, thread_id: threadId, event_id: cardId };
  expect(await call('sendRichMessagePostback', { ...onCard, postback })).toEqual({});
  expect(await call('sendTypingIndicator', chatId, true)).toEqual({});
  expect(await call('sendTypingIndicator', chatId, false, 'agents')).toEqual({});
  expect(await call('markEventsAsSeen', chatId, new Date().toISOString())).toEqual({});

  const [rating, names] = [{ rating: { score: 1, comment: 'Kind' } }, { rating: ['score', 'comment'] }];
  for (const [what, ...ids] of [
    ['Chat', chatId],
    ['Thread', chatId, threadId],
    ['Event', chatId, threadId, cardId],
  ]) {
    expect(await call(`update${what}Properties`, ...ids, rating)).toEqual({});
    expect(await call(`delete${what}Properties`, ...ids, names)).toEqual({});
  }
  expect(await call('tagThread', chatId, threadId, 'vip')).toEqual({});
  expect(await call('untagThread', chatId, threadId, 'vip')).toEqual({});

  expect(await call('setRoutingStatus', 'accepting_chats', colleagueId)).toEqual({});
  expect(await call('listAgentsForTransfer', chatId)).toEqual([{ agent_id: colleagueId, total_active_chats: 0 }]);
  const toColleague = { target: { type: 'agent', ids: [colleagueId] }, ignore_agents_availability: false };
  expect(await call('transferChat', chatId, toColleague)).toEqual({});
  expect(await call('setRoutingStatus', 'offline', colleagueId)).toEqual({});
  expect(await call('deactivateChat', chatId, true)).toEqual({});
  expect(await errorType(call('deactivateChat', chatId, true))).toBe('chat_inactive');

  expect(await call('resumeChat', chatId)).toMatchObject({ thread_id: expect.any(String) });
  expect(await call('deactivateChat', chatId)).toEqual({});
  const { thread_id: last } = await call('resumeChat', { chat: { id: chatId }, active: false });
  const archives = await call('listArchives', { filters: { thread_ids: [threadId, last] }, limit: 10 });
  expect(archives).toMatchObject({ found_chats: 2, chats: [{ thread: { id: last } }, { thread: { id: threadId } }] });
  expect(await call('startChat', { chat: { users: [{ id: customer.id, type: 'customer' }] } })).toMatchObject({
    chat_id: expect.any(String),
    thread_id: expect.any(String),
  });
};

/** Calls the methods that need no chat. */
const callOtherMethods = async (call: Call, { owner }: Team, colleagueId: string): Promise<void> => {
  const { customer_id: id } = await call('createCustomer', { name: 'Ann', email: 'ann@example.com' });
  expect(await call('updateCustomer', id, { session_fields: [{ cart: '3' }] })).toEqual({});
  expect(await call('getCustomer', id)).toMatchObject({
    ...{ id, type: 'customer', name: 'Ann', session_fields: [{ cart: '3' }], chat_ids: [], followed: false },
    statistics: { chats_count: 0, threads_count: 0, visits_count: 0 },
  });
  const found = await call('listCustomers', { filters: { customer_id: { values: [id] } }, sort_by: 'created_at' });
  expect(found).toMatchObject({ customers: [{ id }], total_customers: 1 });
  expect(await call('followCustomer', id)).toEqual({});
  expect(await call('unfollowCustomer', id)).toEqual({});
  expect(await call('banCustomer', id, 1)).toEqual({});
  const everybody = { agents: { all: true, ids: [], groups: [] }, customers: { ids: [id] } };
  expect(await call('multicast', everybody, { hello: 'all' })).toEqual({});
  expect(await call('multicast', everybody, { hello: 'all' }, 'my_type')).toEqual({});
  expect(await call('setRoutingStatus', 'not_accepting_chats')).toEqual({});
  const statuses = await call('listRoutingStatuses');
  expect(statuses).toContainEqual({ agent_id: owner.id, status: 'not_accepting_chats' });
  expect(await call('listRoutingStatuses', [0])).toContainEqual({ agent_id: colleagueId, status: 'offline' });
  expect(await errorType(call('getChat', 'NOSUCHCHAT'))).toBe('not_found');
};

describe('the published JavaScript agent SDK', () => {
  const setUp = async () => {
    const team = await newTeam(target);
    return { team, customer: await team.customer(), colleague: await team.bot('Colleague') };
  };

  it('can call every operation over HTTP', async () => {
    const { team, customer, colleague } = await setUp();
    const token = { accessToken: team.owner.key, region: 'dal' };
    const web = new Agent.Web('sdk-test', () => token as never, { apiUrl: proxy.host });
    web.version = VERSION;
    const { call, uncalled } = recordCalls(web);
    await callChatMethods(call, team, customer, colleague.id);
    await callOtherMethods(call, team, colleague.id);
    // The SDK uploads without a scheme, a token or the content type of a form, which no server can accept.
    expect(uncalled()).toEqual(['uploadFile']);
  });

  it('can call every operation over a socket', async () => {
    const { team, customer, colleague } = await setUp();
    const rtm = new Agent.RTM({ apiUrl: proxy.host });
    rtm.version = VERSION;
    const { call, uncalled } = recordCalls(rtm);
    await rtm.connect();
    expect(await rtm.send('ping', undefined)).toEqual({});
    const pushed = new Set<string>();
    const pushes = [
      ...['incoming_chat', 'incoming_event', 'user_added_to_chat', 'user_removed_from_chat', 'chat_unfollowed'],
      ...['chat_transferred', 'chat_deactivated', 'thread_tagged', 'thread_untagged', 'events_marked_as_seen'],
      ...['chat_properties_updated', 'thread_properties_deleted', 'event_properties_updated', 'routing_status_set'],
      ...['incoming_rich_message_postback', 'incoming_customer', 'customer_unfollowed', 'customer_updated'],
      ...['customer_banned', 'incoming_multicast'],
    ];
    for (const push of pushes) void call('on', push, () => pushed.add(push));

    const welcome = await call('login', `Bearer ${team.owner.key}`);
    expect(welcome).toMatchObject({
      license: { organization_id: team.id, plan: expect.any(String), in_trial: expect.any(Boolean) },
      my_profile: { id: team.owner.id, name: 'Olga', permission: 'owner', routing_status: 'accepting_chats' },
      chats_summary: expect.any(Array),
    });
    await callChatMethods(call, team, customer, colleague.id);
    await callOtherMethods(call, team, colleague.id);
    expect(await call('setAwayStatus', true)).toEqual({});
    expect(await call('setAwayStatus', false)).toEqual({});
    const phone = { firebase_token: 'x', platform: 'ios', enabled: true };
    expect(await call('changePushNotifications', phone)).toEqual({});
    expect(await call('logout')).toEqual({});
    clearInterval(rtm.heartbeatInterval);
    expect([...pushed].toSorted()).toEqual(pushes.toSorted());
    expect(uncalled()).toEqual([]);
  });

  it('can log in with every option and receives only the requested pushes', async () => {
    const { team, customer } = await setUp();
    const rtm = new Agent.RTM({ apiUrl: proxy.host });
    rtm.version = VERSION;
    await rtm.connect();
    const heard: string[] = [];
    rtm.on('incoming_chat' as never, () => heard.push('incoming_chat'));
    const message = new Promise((resolve) => rtm.on('incoming_event' as never, resolve));
    const profile = await rtm.login({
      ...{ token: `Bearer ${team.owner.key}`, timezone: 'Europe/Warsaw', reconnect: false, away: true },
      push_notifications: { platform: 'ios', firebase_token: 'x' },
      application: { name: 'sdk-test', version: '1' },
      customer_monitoring_level: 'online',
      pushes: { '3.5': ['incoming_event', 'a_push_of_tomorrow'] },
    } as never);
    expect(profile).toMatchObject({ my_profile: { routing_status: 'offline' } });
    const { chat_id } = await openChat(customer);
    await customer.ok('send_event', { chat_id, event: { type: 'message', text: 'Anybody?' } });
    expect(await message).toMatchObject({ chat_id, event: { text: 'Anybody?' } });
    expect(heard).toEqual([]);
    clearInterval(rtm.heartbeatInterval);
    rtm.socket!.close();
  });
});
