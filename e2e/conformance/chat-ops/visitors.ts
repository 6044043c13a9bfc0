import { beforeAll, describe, expect, it } from 'vitest';
import { message, send } from '../customer/call.ts';
import { callAs, expectError, type Json, newShop, type Shop } from './index.ts';
import { target } from './target.ts';

const post = (path: string, body: Json) => callAs(target.url, {}, 'POST', path, body);

const enter = async ({ license }: Shop, visitorId: string, more: object = {}) => {
  const path = `/visitors/${visitorId}/chat`;
  const { status, body } = await post(`${path}/start`, { licence_id: license, welcome_message: 'Hello?', ...more });
  const session = { licence_id: license, secured_session_id: body.secured_session_id };
  const query = new URLSearchParams({ ...session, licence_id: String(license) });
  return {
    started: { status, body },
    session,
    pending: async (last?: number): Promise<Json[]> => {
      const after = last === undefined ? '' : `&last_message_id=${last}`;
      const response = await callAs(target.url, {}, 'GET', `${path}/get_pending_messages?${query}${after}`);
      expect(response.status).toBe(200);
      return response.body.events;
    },
    say: (text?: string) => post(`${path}/send_message`, { ...session, message: text }),
    close: () => post(`${path}/close`, session),
  };
};

describe('visitor chat', async () => {
  const shop = await newShop(target);
  const alma = await shop.addAgent('Alma');
  const { id: SALES } = await shop.owner.ok('POST', '/groups', { name: 'Sales', agents: [alma.login] });
  const ann = await enter(shop, 'ann-1', { name: 'Ann', email: 'ann@far.test', group: SALES });
  const archived = async (visitorId: string, more = '') =>
    (await shop.owner.ok('GET', `/chats?visitor_id=${visitorId}${more}`)).chats;

  it('POST /visitors/<VISITOR_ID>/chat/start starts a chat', async () => {
    expect(ann.started).toEqual({
      ...{ status: 200, body: { secured_session_id: expect.stringMatching(/\S/), banned: false } },
    });
    expect(await archived('ann-1', '&include_pending=1')).toMatchObject([
      { visitor: { id: 'ann-1', name: 'Ann' }, group: [SALES], pending: true, messages: [{ text: 'Hello?' }] },
    ]);
    await enter(shop, 'nameless');
    expect(await archived('nameless', '&include_pending=1')).toMatchObject([{ visitor: { name: 'Client' } }]);
    expectError(await post('/visitors/x/chat/start', { welcome_message: 'Hello?' }), 400);
    expectError(await post('/visitors/x/chat/start', { licence_id: shop.license }), 400);
  });

  it('an agent can answer a chat started by a visitor through this API', async () => {
    const before = (await ann.pending()).at(-1)!.message_id;
    const { chats_summary } = await alma.v35.ok('list_chats', {});
    const { id: chat_id } = chats_summary.find(({ users }: Json) => users.some(({ name }: Json) => name === 'Ann'));
    await alma.v35.ok('add_user_to_chat', {
      ...{ chat_id, user_id: alma.login, user_type: 'agent', visibility: 'all' },
    });
    await alma.v35.ok('send_event', { chat_id, event: message('Can I help?') });
    await alma.v35.ok('send_event', { chat_id, event: message('a secret note', { visibility: 'agents' }) });
    const fresh = await ann.pending(before);
    expect(fresh).toMatchObject([
      { type: 'agent_details', agent: { name: 'Alma', job_title: 'Support Agent', avatar: expect.any(String) } },
      { type: 'message', user_type: 'agent', text: 'Can I help?' },
    ]);
    expect(JSON.stringify(await ann.pending())).not.toMatch(/secret note|@/);
  });

  it('GET /visitors/<VISITOR_ID>/chat/get_pending_messages returns new messages', async () => {
    const all = await ann.pending();
    const ids = all.map(({ message_id }) => message_id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    for (const { message_id, timestamp } of all)
      expect([Number.isInteger(message_id), Number.isInteger(timestamp)]).toEqual([true, true]);
    for (const last of ids) expect(await ann.pending(last)).toEqual(all.filter(({ message_id }) => message_id > last));
    const path = '/visitors/ann-1/chat/get_pending_messages';
    expectError(await callAs(target.url, {}, 'GET', `${path}?licence_id=${shop.license}`), 400);
  });

  it('POST /visitors/<VISITOR_ID>/chat/send_message sends a message', async () => {
    const last = (await ann.pending()).at(-1)!.message_id;
    expect(await ann.say('My parcel')).toMatchObject({ status: 200, body: { success: true } });
    expect(await ann.pending(last)).toMatchObject([{ type: 'message', user_type: 'visitor', text: 'My parcel' }]);
    expectError(await ann.say(), 400);
  });

  it('starting again with a session continues its chat and keeps the first session valid', async () => {
    const { secured_session_id } = ann.session;
    const again = await enter(shop, 'ann-1', { welcome_message: 'Me again', secured_session_id });
    expect(again.session.secured_session_id).not.toBe(ann.session.secured_session_id);
    expect(await archived('ann-1', '&include_pending=1')).toHaveLength(1);
    expect((await again.say('From the second')).body).toEqual({ success: true });
    expect((await ann.pending()).map(({ text }) => text)).toEqual(expect.arrayContaining(['From the second']));
  });

  it('POST /visitors/<VISITOR_ID>/chat/close closes the chat', async () => {
    expect(await ann.close()).toMatchObject({ status: 200, body: { success: true } });
    const [chat] = await archived('ann-1');
    expect(chat).toMatchObject({ pending: false, agents: [{ email: alma.login }] });
    expect((await ann.say('Too late')).body).not.toEqual({ success: true });
  });

  it('banned visitors cannot start a chat', async () => {
    const bad = await enter(shop, 'bad-1');
    const { chats_summary } = await shop.owner.v35.ok('list_chats', {});
    const ids = await Promise.all(
      chats_summary.map(async ({ id }: Json) => (await shop.owner.v35.ok('get_chat', { chat_id: id })) as Json),
    );
    const thread = (await archived('bad-1', '&include_pending=1'))[0].id;
    const { users } = ids.find((chat) => chat.thread.id === thread);
    const customerId = users.find(({ type }: Json) => type === 'customer').id;
    await shop.owner.v35.ok('ban_customer', { id: customerId, ban: { days: 1 } });
    await bad.close();
    const { started } = await enter(shop, 'bad-1');
    expect(started).toMatchObject({ status: 200, body: { banned: true } });
    expect(await archived('bad-1', '&include_pending=1')).toHaveLength(1);
  });
});

describe('live visitors', async () => {
  const shop = await newShop(target);
  const { owner } = shop;
  const { id: SALES } = await owner.ok('POST', '/groups', { name: 'Sales', agents: [owner.login] });

  /** Sends a page view like the tracking script. */
  const look = async (url: string, more: object = {}): Promise<string> => {
    const visitor_id = crypto.randomUUID();
    const { status } = await send(`${target.url}/tracking/beacon`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 (X11) Gecko/20100101 Firefox/140.0' },
      body: JSON.stringify({
        ...{
          license: shop.license,
          visitor_id,
          secret: crypto.randomUUID(),
          event: 'view',
          page: { url, title: 'Page' },
        },
        ...more,
      }),
    });
    expect(status).toBe(200);
    return visitor_id;
  };
  let browsing: string;
  let ofGroup: string;
  // Visits end without further page views, so they must not begin before the tests of other files.
  beforeAll(async () => {
    browsing = await look('https://shop.test/shoes', {
      ...{ referrer: 'https://search.test/', language: 'de', variables: [{ name: 'plan', value: 'gold' }] },
    });
    ofGroup = await look('https://shop.test/sales', { group: SALES });
    await enter(shop, 'ann-1', { name: 'Ann' });
  });
  const idsOf = async (query: string): Promise<string[]> =>
    (await owner.ok('GET', `/visitors${query}`)).map(({ id }: Json) => id).toSorted();

  it('GET /visitors lists the visitors who are online', async () => {
    const visitors: Json[] = await owner.ok('GET', '/visitors');
    expect(visitors.map(({ id }) => id).toSorted()).toEqual([browsing, ofGroup, 'ann-1'].toSorted());
    const one = visitors.find(({ id }) => id === browsing);
    expect(one).toMatchObject({
      ...{ state: 'browsing', page_current: 'https://shop.test/shoes', page_title: 'Page', page_views: 1, visits: 1 },
      ...{ language: 'de', referrer: 'https://search.test/', group: 0, browser: expect.stringContaining('Firefox') },
      ...{ custom_variables: [{ key: 'plan', value: 'gold' }], operators: [], chats: 0, name: expect.any(String) },
      ...{ greetings_all: 0, greetings_accepted: 0, greetings_refused: 0, page_entered_ts: expect.any(Number) },
      visit_path: [{ page: 'https://shop.test/shoes', title: 'Page', time_ts: expect.any(Number) }],
    });
    for (const field of [
      'ip',
      'host',
      'city',
      'country',
      'country_code',
      'region',
      'timezone',
      'invitation',
      'page_time',
    ])
      expect(one[field]).toEqual(expect.any(String));
  });

  it('GET /visitors filters by state, group and count', async () => {
    expect(await idsOf('?state=browsing')).toEqual([browsing, ofGroup].toSorted());
    expect(await idsOf('?state=chatting')).toEqual(await idsOf('/chatting'));
    expect(await idsOf(`?group[]=${SALES}`)).toEqual([ofGroup]);
    expect(await idsOf(`?group[]=0&group[]=${SALES}`)).toHaveLength(3);
    expect(await owner.ok('GET', '/visitors?count=1')).toBe(3);
    expect(await owner.ok('GET', '/visitors?count=0')).toHaveLength(3);
    expectError(await owner.sendRequest('GET', '/visitors?state=asleep'), 400);
  });
});
