import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { cancelGreeting } from '#server/domain/support/greetings/answer-greeting.ts';
import { createChatOpsWebhook } from '#server/domain/support/webhooks/chat-ops-webhooks.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildGreeting, greet } from '#server/testing/builders/greetings.ts';
import { reader } from '../../testing/builders/archive.ts';

const test = useTestApp();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A visitor opens a page with the tracking script. */
const visit = async ({ licenseNumber }: TestOrganization, body: Record<string, unknown> = {}) => {
  const identity = { visitor_id: randomUUID(), secret: randomUUID().replaceAll('-', '') };
  const beacon = async (more: Record<string, unknown>) => {
    const page = { url: 'https://shop.test/shoes', title: 'Shoes' };
    const payload = { license: licenseNumber, ...identity, event: 'view', page, ...more };
    const headers = { 'user-agent': FIREFOX };
    expect((await test.app.inject({ method: 'POST', url: '/tracking/beacon', payload, headers })).statusCode).toBe(200);
  };
  await beacon(body);
  return { id: identity.visitor_id, token: '', beacon };
};

const statesOf = async ({ owner }: TestOrganization, query = '') =>
  Object.fromEntries(
    (await reader(test, owner)(`/visitors${query}`)).body.map((one: { id: string; state: string }) => [
      one.id,
      one.state,
    ]),
  );

describe('GET /visitors', () => {
  it('returns all fields of a visitor', async () => {
    const shop = await buildOrganization(test);
    const { id, beacon } = await visit(shop, {
      referrer: 'https://duckduckgo.com/?q=red%20shoes',
      language: 'de-AT',
      timezone: 'Europe/Vienna',
      variables: [{ name: 'plan', value: 'free' }],
    });
    test.clock.advance(65_000);
    await beacon({ page: { url: 'https://shop.test/cart', title: 'Cart' } });
    test.clock.advance(5_000);
    const opened = Math.floor(test.clock.now().getTime() / 1000) - 5;
    const { status, body } = await reader(test, shop.owner)('/visitors');
    expect(status).toBe(200);
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      ...{ id, name: 'Client', state: 'browsing', group: 0, browser: 'Firefox 140', user_agent: FIREFOX },
      ...{ host: '127.0.0.1', ip: '127.0.0.1', language: 'de-AT', timezone: 'Europe/Vienna' },
      ...{ city: '', region: '', country: '', country_code: '', visits: 1, page_views: 2 },
      ...{ page_address: 'https://shop.test/cart', page_current: 'https://shop.test/cart', page_title: 'Cart' },
      ...{ page_entered_ts: opened, page_time: '0:00:05', page_time_ts: 5 },
      ...{ referrer: 'https://duckduckgo.com/?q=red%20shoes', search_keyword: 'red shoes' },
      ...{ custom_variables: [{ key: 'plan', value: 'free' }], invitation: '' },
      ...{ greetings_all: 0, greetings_accepted: 0, greetings_refused: 0, chats: 0, operators: [] },
    });
    expect(body[0].visit_path).toMatchObject([
      { page: 'https://shop.test/shoes', title: 'Shoes', invitation: '', time_ref: 0, time_ts: opened - 65 },
      { page: 'https://shop.test/cart', title: 'Cart', time_ref: 65, time_ts: opened },
    ]);
    expect(body[0].page_entered).toMatch(/^\w{3}, \d\d\/\d\d\/\d\d \d\d:\d\d:\d\d [ap]m$/);
    expect(body[0]).toMatchObject({
      ...{ chat: null, chat_id: '', chat_start_time: '', chat_start_time_ts: null },
      ...{ queue_start_time: '', queue_start_time_ts: null, last_visit: '', last_visit_ts: null },
      ...{ latitude: null, longitude: null },
    });
    expect(body[0]).not.toHaveProperty('prechat_survey');
  });

  it('returns the same fields for all visitors, and the survey only for chatting ones', async () => {
    const shop = await buildOrganization(test);
    await visit(shop);
    const chatting = await visit(shop, { referrer: 'https://duckduckgo.com/?q=red%20shoes' });
    await buildChat(shop, chatting);
    const payload = { licence_id: shop.licenseNumber, welcome_message: 'Hello' };
    await test.app.inject({ method: 'POST', url: '/visitors/unseen/chat/start', payload });
    const { body } = await reader(test, shop.owner)('/visitors');
    const fieldsOf = (id: string) =>
      Object.keys(body.find((one: { id: string }) => one.id === id)).filter((name) => name !== 'prechat_survey');
    const [browsing] = body.filter(({ state }: { state: string }) => state === 'browsing');
    expect(fieldsOf(chatting.id)).toEqual(fieldsOf(browsing.id));
    expect(fieldsOf('unseen')).toEqual(fieldsOf(browsing.id));
    const unseen = body.find(({ id }: { id: string }) => id === 'unseen');
    expect(unseen).toMatchObject({ page_entered: '', page_entered_ts: null, referrer: '', search_keyword: '' });
  });

  it('returns the state, and filters by it in the query or the path', async () => {
    const shop = await buildOrganization(test);
    await buildGreeting(shop, { message: 'May we help?' });
    const browsing = await visit(shop);
    const invited = await visit(shop);
    const refused = await visit(shop);
    const chatting = await visit(shop);
    const closed = await visit(shop);
    await greet(shop, invited);
    await cancelGreeting(customerScope(shop, refused), { uniqueId: (await greet(shop, refused))! });
    const chat = await buildChat(shop, chatting);
    const { chatId } = await buildChat(shop, closed);
    test.clock.advance(1000);
    await deactivateChat(customerScope(shop, closed), { chatId });
    await setAgentStatus(shop.scope, { login: shop.owner.login, status: 'not accepting chats' });
    const full = await buildAgent(shop);
    await shop.scope.update('agents').where('id', '=', full.login).set({ maxChatsCount: 0 }).execute();
    await setAgentStatus(shop.scope, { login: full.login, status: 'accepting chats' });
    const queued = await visit(shop);
    await buildChat(shop, queued);
    const expected = {
      ...{ [browsing.id]: 'browsing', [invited.id]: 'invited', [refused.id]: 'refused invitation' },
      ...{ [chatting.id]: 'chatting', [closed.id]: 'chat closed', [queued.id]: 'queued' },
    };
    expect(await statesOf(shop)).toEqual(expected);
    for (const [id, state] of Object.entries(expected)) {
      expect(await statesOf(shop, `?state=${encodeURIComponent(state)}`)).toEqual({ [id]: state });
      expect(await statesOf(shop, `/${encodeURIComponent(state)}/`)).toEqual({ [id]: state });
    }
    const [chatted] = (await reader(test, shop.owner)('/visitors/chatting')).body;
    expect(chatted).toMatchObject({
      chat_id: chat.threadId,
      chat: { id: chat.threadId, group: [0] },
      operators: [{ display_name: 'Olga Owner', email: shop.owner.login }],
      prechat_survey: [],
      chats: 1,
    });
    const [waiting] = (await reader(test, shop.owner)('/visitors/queued')).body;
    expect(waiting.queue_start_time).toBeDefined();
    const [greeted] = (await reader(test, shop.owner)('/visitors/invited')).body;
    expect(greeted).toMatchObject({ invitation: 'May we help?', greetings_all: 1, greetings_refused: 0 });
    expect(greeted.visit_path).toMatchObject([{ invitation: 'May we help?' }]);
    const read = reader(test, shop.owner);
    expect((await read('/visitors?state=asleep')).status).toBe(400);
    expect((await read('/visitors/asleep')).status).toBe(400);
    expect((await read('/visitors?count=1')).body).toBe(6);
    expect((await read('/visitors?count=1&state=queued')).body).toBe(1);
  });

  it('filters by groups in every notation', async () => {
    const shop = await buildOrganization(test);
    for (const group of [3, 4]) await buildGroup(shop, group);
    const [third, fourth, none] = [await visit(shop, { group: 3 }), await visit(shop, { group: 4 }), await visit(shop)];
    const idsOf = async (query: string) => Object.keys(await statesOf(shop, `?${query}`)).sort();
    for (const query of ['group[]=3&group[]=4', 'group[0]=3&group[1]=4', 'group=3&group=4'])
      expect(await idsOf(query)).toEqual([third.id, fourth.id].sort());
    expect(await idsOf('group=3')).toEqual([third.id]);
    expect(await idsOf('group[]=0')).toEqual([none.id]);
  });

  it('removes visitors immediately after they leave, and within a minute if they disappear', async () => {
    const shop = await buildOrganization(test);
    const [polite, lost] = [await visit(shop), await visit(shop)];
    await polite.beacon({ event: 'leave' });
    expect(Object.keys(await statesOf(shop))).toEqual([lost.id]);
    test.clock.advance(46_000);
    expect(await statesOf(shop)).toEqual({});
  });

  it('does not return visitors of other organizations', async () => {
    const [shop, other] = [await buildOrganization(test), await buildOrganization(test)];
    await visit(shop);
    expect(await statesOf(other)).toEqual({});
    expect((await test.app.inject('/visitors')).statusCode).toBe(401);
  });

  it('is available as JSONP', async () => {
    const shop = await buildOrganization(test);
    const headers = { authorization: shop.owner.basic };
    const { body } = await test.app.inject({ url: '/visitors?count=1&callback=show', headers });
    expect(body).toBe('/**/show(0);');
  });
});

describe('POST /visitors/<id>/details', () => {
  const build = async () => {
    const shop = await buildOrganization(test);
    const owner = agentScope(shop, shop.owner, 'owner');
    const hook = { dataTypes: ['chat' as const], url: 'https://crm.example/hook' };
    const { token } = await createChatOpsWebhook(owner, { eventType: 'chat_started', ...hook });
    const ended = await createChatOpsWebhook(owner, { eventType: 'chat_ended', ...hook });
    const { id } = await visit(shop);
    const add = (body: Record<string, unknown>, visitorId: string = id) =>
      test.app.inject({
        method: 'POST',
        url: `/visitors/${visitorId}/details`,
        payload: {
          ...{ license_id: String(shop.licenseNumber), token, id: 'crm', fields: [{ name: 'Plan', value: 'gold' }] },
          ...body,
        },
      });
    const read = async () => {
      const response = await test.app.inject({
        method: 'POST',
        url: '/v3.5/agent/action/get_customer',
        headers: { authorization: shop.owner.basic },
        payload: { id },
      });
      return response.json().visitor_details;
    };
    return { shop, token: token!, otherToken: ended.token!, id, add, read };
  };

  it('shows the details to agents, and replaces a set with the same name', async () => {
    const { add, read } = await build();
    const first = await add({});
    expect([first.statusCode, first.json()]).toEqual([200, { result: 'Visitor details added' }]);
    const fields = [
      { name: 'Page', value: 'Open', url: 'https://crm.example/42' },
      { name: 'Write', value: 'Mail', url: 'mailto:ann@example.test' },
    ];
    expect((await add({ fields, icon: 'crm.example/icon.png' })).statusCode).toBe(200);
    expect(await read()).toMatchObject([{ id: 'crm', icon: 'https://crm.example/icon.png', fields }]);
  });

  it('accepts forms', async () => {
    const { shop, token, id, read } = await build();
    const payload = `license_id=${shop.licenseNumber}&token=${token}&id=crm&fields[0][name]=Plan&fields[0][value]=gold`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = `/visitors/${id}/details`;
    expect((await test.app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(200);
    expect(await read()).toMatchObject([{ fields: [{ name: 'Plan', value: 'gold' }] }]);
  });

  it.each([
    ['a script', { fields: [{ name: 'x', value: 'x', url: 'javascript:alert(1)' }] }],
    ['data', { fields: [{ name: 'x', value: 'x', url: 'data:text/html,x' }] }],
    ['an invalid link', { fields: [{ name: 'x', value: 'x', url: 'not a link' }] }],
    ['an icon with a scheme', { icon: 'http://crm.example/icon.png' }],
    ['an icon with a password', { icon: 'user:secret@crm.example/icon.png' }],
    ['a name with spaces', { id: 'my crm' }],
    ['no fields', { fields: [] }],
  ])('rejects %s', async (_, body) => {
    const { add, read } = await build();
    expect((await add(body)).statusCode).toBe(400);
    expect(await read()).toEqual([]);
  });

  it('requires the token of a chat_started webhook and a visitor of the same license', async () => {
    const { add, otherToken, read } = await build();
    const other = await build();
    for (const body of [
      { token: 'wrong' },
      { token: otherToken },
      { token: other.token },
      { license_id: other.shop.licenseNumber },
      { license_id: 999_999 },
    ])
      expect((await add(body)).statusCode).toBe(401);
    expect((await add({}, other.id)).statusCode).toBe(404);
    expect((await add({}, 'nobody')).statusCode).toBe(404);
    expect(await read()).toEqual([]);
  });
});
