import { Customer } from '@livechat/lc-sdk-js';
import { afterAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization, openTarget } from '../conformance/customer/index.ts';
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
  const recorded = new Proxy(client as Client, {
    get: (_, name: string) => {
      called.add(name);
      return (client as Client)[name]!.bind(client);
    },
  });
  return { recorded, called };
};

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
  elements: [
    { title: 'Shoes', buttons: [{ text: 'Buy', type: 'message', value: 'x', postback_id: 'buy', user_ids: [] }] },
  ],
};

/** Calls the methods that both clients have, in a realistic order. */
const callAllMethods = async (sdk: Client, customerId: string): Promise<void> => {
  const rating = { rating: { score: 1, comment: 'Kind' } };
  const names = { rating: ['score', 'comment'] };
  const call = (name: string, ...args: unknown[]) => sdk[name]!(...args);

  const {
    chat_id: chatId,
    thread_id: threadId,
    event_ids: eventIds,
  } = await call('startChat', { chat: { thread: { events: [{ type: 'message', text: 'hello' }] } } });
  expect(eventIds).toEqual([`${threadId}_1`]);
  const { event_id: cardId } = await call('sendEvent', chatId, card);
  await call('sendEvent', chatId, { type: 'message', text: 'again' }, true);
  await call('sendSneakPeek', chatId, 'I am typ');
  await call('sendRichMessagePostback', {
    chat_id: chatId,
    thread_id: threadId,
    event_id: cardId,
    postback: { id: 'buy', toggled: true },
  });
  await call('markEventsAsSeen', chatId, new Date().toISOString());
  expect(await call('getChat', chatId)).toMatchObject({ id: chatId, thread: { id: threadId, active: true } });
  expect(await call('getChat', chatId, threadId)).toMatchObject({ thread: { id: threadId } });
  expect(await call('listChats', { limit: 5 })).toMatchObject({ total_chats: 1, chats_summary: [{ id: chatId }] });
  expect(await call('listThreads', chatId, { limit: 2 })).toMatchObject({
    threads: [{ id: threadId }],
    found_threads: 1,
  });

  await call('updateChatProperties', chatId, rating);
  await call('deleteChatProperties', chatId, names);
  await call('updateThreadProperties', chatId, threadId, rating);
  await call('deleteThreadProperties', chatId, threadId, names);
  await call('updateEventProperties', chatId, threadId, cardId, rating);
  await call('deleteEventProperties', chatId, threadId, cardId, names);
  expect(await call('listLicenseProperties')).toEqual(expect.any(Object));
  expect(await call('listLicenseProperties', 'shop', 'currency')).toEqual({});
  expect(await call('listGroupProperties', 0)).toEqual(expect.any(Object));

  expect(await call('deactivateChat', chatId)).toEqual({});
  expect(await errorType(call('sendEvent', chatId, { type: 'message', text: 'too late' }))).toBe('chat_inactive');
  await call('resumeChat', chatId);
  await call('deactivateChat', chatId);
  expect(await call('resumeChat', { chat: { id: chatId }, active: false })).toMatchObject({
    thread_id: expect.any(String),
  });

  expect(await call('updateCustomer', { name: 'Ann', email: 'ann@example.com' })).toEqual({});
  expect(await call('setCustomerSessionFields', [{ cart: '3' }])).toEqual({});
  expect(await call('getCustomer')).toMatchObject({
    id: customerId,
    name: 'Ann',
    session_fields: [{ cart: '3' }],
    statistics: { chats_count: 1 },
  });

  expect(await call('listGroupStatuses', true)).toEqual({ groups_status: { 0: 'online' } });
  expect(await call('listGroupStatuses', [0, 99])).toEqual({ groups_status: { 0: 'online' } });
  expect(await call('getForm', 0, 'prechat')).toMatchObject({ enabled: expect.any(Boolean) });
  expect(await call('getPredictedAgent')).toMatchObject({ agent: { name: 'Olga' }, queue: false });
  // Tests fetch nothing from external servers, and the server never fetches private addresses.
  expect(await errorType(call('getURLInfo', 'http://127.0.0.1/'))).toBe('validation');
  expect(await errorType(call('acceptGreeting', 1, 'unknown'))).toBe('greeting_not_found');
  expect(await errorType(call('cancelGreeting', 'unknown'))).toBe('greeting_not_found');
};

describe.skipIf(!target.runSql)('the published JavaScript customer SDK', async () => {
  if (!target.runSql) return;
  const organization: Organization = await newOrganization(target, { online: true });

  it('can call every operation over HTTP', async () => {
    const customer = await organization.customer();
    const token = { accessToken: customer.token, region: 'dal', organizationID: organization.id };
    const web = new Customer.Web('sdk-test', () => token as never, { apiUrl: proxy.host });
    web.version = VERSION;
    const { recorded: sdk, called } = recordCalls(web);

    await callAllMethods(sdk, customer.id);
    expect(await sdk.checkGoals!([{ cart: '3' }], 0, 'https://shop.test/thanks')).toEqual({});
    expect(await sdk.requestEmailVerification!('https://shop.test/verified')).toEqual({});
    const dynamic = await sdk.getDynamicConfiguration!({ group_id: 0, url: 'https://shop.test/' });
    expect(dynamic).toMatchObject({ organization_id: organization.id, online_group_ids: [0] });
    expect(await sdk.getConfiguration!(0, dynamic.config_version)).toMatchObject({ buttons: expect.any(Array) });
    const phrases = await sdk.getLocalization!(0, dynamic.language, dynamic.localization_version);
    expect(phrases).toHaveProperty('Agents_not_available');

    // The SDK uploads without a scheme, a token or the content type of a form, which no server can accept.
    expect(allMethods(web).filter((name) => !called.has(name))).toEqual(['uploadFile']);
  });

  it('can call every operation over a socket', async () => {
    const customer = await organization.customer();
    const rtm = new Customer.RTM(organization.id, { apiUrl: proxy.host });
    rtm.version = VERSION;
    const { recorded: sdk, called } = recordCalls(rtm);
    await rtm.connect();
    const pushes: string[] = [];
    for (const push of ['incoming_chat', 'incoming_event', 'chat_deactivated', 'customer_updated'] as const) {
      (sdk.on as unknown as (push: string, handler: () => void) => void)(push, () => pushes.push(push));
    }
    expect(await rtm.send('ping', undefined)).toEqual({});
    expect(await sdk.login!(`Bearer ${customer.token}`)).toMatchObject({
      customer_id: customer.id,
      customer: { statistics: expect.any(Object) },
      has_active_thread: false,
      chats: [],
      __priv_dynamic_config: expect.any(Object),
    });
    // Customers with an open socket are online, and check_goals is for offline customers.
    await callAllMethods(sdk, customer.id);
    await sdk.checkGoals!([{ cart: '3' }], 0, 'https://shop.test/thanks').catch(() => {});
    expect(new Set(pushes)).toEqual(
      new Set(['incoming_chat', 'incoming_event', 'chat_deactivated', 'customer_updated']),
    );
    expect(allMethods(rtm).filter((name) => !called.has(name))).toEqual([]);

    clearInterval(rtm.heartbeatInterval);
    rtm.socket!.close();
  });

  it('can log in with page data and accept a pushed greeting', async () => {
    await target.runSql!(
      `insert into greetings (organization_id, id, group_id, name, rules, message, created_at)
       values ($1, 7, 0, 'Hello', $2, 'Can I help?', now())`,
      [organization.id, JSON.stringify([{ type: 'url_current', operator: 'contains', value: 'cart' }])],
    );
    const customer = await organization.customer();
    const rtm = new Customer.RTM(organization.id, { apiUrl: proxy.host });
    rtm.version = VERSION;
    await rtm.connect();
    const greeted = new Promise<Json>((resolve) => rtm.on('incoming_greeting' as never, resolve));
    await rtm.login({
      token: `Bearer ${customer.token}`,
      customer_page: { url: 'https://shop.test/cart', title: 'Cart' },
      customer: { name: 'Ann' },
      application: { name: 'sdk-test', version: '1' },
    } as never);
    const greeting = await greeted;
    expect(greeting).toMatchObject({ id: 7, unique_id: expect.any(String), agent: { name: 'Olga' } });
    expect(await rtm.acceptGreeting(greeting.id, greeting.unique_id)).toEqual({});
    clearInterval(rtm.heartbeatInterval);
    rtm.socket!.close();
  });
});
