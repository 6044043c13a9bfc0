import http from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { type Json, newAddress, newShop, openTarget } from './conformance/chat-ops/index.ts';

const target = await openTarget();
afterAll(target.close);

type Brackets = 'indexed' | 'empty' | 'collapsed';

/**
 * Libraries encode lists of plain values differently: `tag[0]=a`, `tag[]=a`, or without brackets for a single value.
 * Some percent-encode brackets, some do not.
 */
const toPairs = (value: Json, name: string, brackets: Brackets): string[] => {
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== 'object');
    if (brackets === 'collapsed' && isPlain && value.length === 1) return toPairs(value[0], name, brackets);
    const key = (at: number): string => (brackets === 'indexed' || !isPlain ? `${name}[${at}]` : `${name}[]`);
    return value.flatMap((one, at) => toPairs(one, key(at), brackets));
  }
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => toPairs(one, name ? `${name}[${key}]` : key, brackets));
  const key = brackets === 'indexed' ? encodeURIComponent(name) : name;
  return [`${key}=${encodeURIComponent(String(value)).replaceAll('%20', '+')}`];
};

const toForm = (fields: Json, brackets: Brackets): string => toPairs(fields, '', brackets).join('&');

/** Sends the path unchanged, whereas `fetch` would encode it. */
const sendRaw = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(target.url);
    const request = http.request({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    request.on('error', reject).end(body);
  });

/** The error message, read from the three places that three libraries read it from. */
const readErrorMessages = (body: Json): string[] => [
  body.error,
  body.errors.join('; '),
  `${body.code}: ${body.message}`.replace(/^\d+: /, ''),
];

interface Style {
  brackets: Brackets;
  slash: '' | '/';
}

const createLibraryClient = ({ brackets, slash }: Style, login: string, key: string) => {
  const called = new Set<string>();
  const call = async (method: string, operation: string, path: string, fields: Json = {}): Promise<Json> => {
    called.add(operation);
    const isRead = method === 'GET';
    const form = toForm(fields, brackets);
    const headers: Record<string, string> = {
      'x-api-version': '2',
      accept: 'application/json',
      // Libraries send the content type with every write, including a DELETE without a body.
      ...(isRead ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(isRead || form === '' ? {} : { 'content-length': String(Buffer.byteLength(form)) }),
      authorization: `Basic ${Buffer.from(`${login}:${key}`).toString('base64')}`,
    };
    const query = isRead && form !== '' ? `?${form}` : '';
    const { status, text } = await sendRaw(method, `${path}${slash}${query}`, headers, isRead ? undefined : form);
    let body: Json;
    try {
      body = JSON.parse(text);
    } catch {
      throw new Error(`${method} ${path}: not JSON: ${text.slice(0, 200)}`);
    }
    if (status !== 200) throw new Error(`${method} ${path} ${form}: ${status}: ${readErrorMessages(body).join(' | ')}`);
    return body;
  };
  return { call, called };
};

const styles: Style[] = [
  { brackets: 'indexed', slash: '' },
  { brackets: 'empty', slash: '/' },
  { brackets: 'collapsed', slash: '/' },
];

const reportsOf = (): [operation: string, path: string][] =>
  chatOpsContract.operations.filter(({ path }) => path.startsWith('/reports/')).map(({ name, path }) => [name, path]);

it.each(styles)(
  'a client library with $brackets brackets and the trailing slash “$slash” can call every operation',
  async (style) => {
    const shop = await newShop(target, 'enterprise');
    const { login, key } = shop.owner;
    const { call, called } = createLibraryClient(style, login, key);

    // Agents; the `@` in the path is not encoded.
    const agent = newAddress('Bob');
    const flags = { new_visitor: 1, incoming_chat: 1, returning_visitor: 0 };
    const notifications = { ...flags, queued_visitor: 0, visitor_is_typing: 0, new_goal: 1 };
    const made = await call('POST', 'create_agent', '/agents', {
      ...{
        login: agent,
        name: 'Bob Żółć & co',
        password: 'a long password',
        notifications,
        groups: [0],
        daily_summary: 0,
      },
    });
    expect(made).toMatchObject({ login: agent, name: 'Bob Żółć & co', notifications, daily_summary: 0 });
    await call('GET', 'list_agents', '/agents', { status: 'offline' });
    expect(await call('GET', 'get_agent', `/agents/${agent}`)).toMatchObject({ login: agent });
    const day = { enabled: 1, start: '09:00', end: '17:00' };
    const changed = { job_title: 'Seller', max_chats_count: 2, work_scheduler: { monday: day } };
    expect(await call('PUT', 'update_agent', `/agents/${agent}`, changed)).toMatchObject(changed);
    await call('POST', 'reset_api_key', `/agents/${agent}/reset_api_key`);
    await call('PUT', 'reset_api_key_by_put', `/agents/${agent}/reset_api_key`);

    // Groups and status.
    const group = await call('POST', 'create_group', '/groups', { name: 'Sales', agents: [agent], language: 'en' });
    expect(group.agents).toEqual([agent]);
    await call('GET', 'list_groups', '/groups');
    await call('GET', 'get_group', `/groups/${group.id}`);
    expect((await call('PUT', 'update_group', `/groups/${group.id}`, { agents: [agent, login] })).agents).toHaveLength(
      2,
    );
    expect(await call('GET', 'get_status', '/status', { group: group.id })).toEqual({ status: 'offline' });
    await call('GET', 'get_group_status', `/status/${group.id}`);

    // Canned responses.
    const canned = await call('POST', 'create_canned_response', '/canned_responses', {
      text: 'a=b & c+d',
      tags: ['hi'],
    });
    expect(canned).toMatchObject({ text: 'a=b & c+d', tags: ['hi'] });
    const cannedPath = `/canned_responses/${canned.id}`;
    await call('GET', 'list_canned_responses', '/canned_responses', { group: 0 });
    await call('GET', 'get_canned_response', cannedPath);
    expect((await call('PUT', 'update_canned_response', cannedPath, { tags: ['a', 'b'] })).tags).toEqual(['a', 'b']);
    await call('POST', 'update_canned_response_by_post', cannedPath, { text: 'Good day' });
    await call('DELETE', 'delete_canned_response', cannedPath);

    // A chat of a visitor; the documents require no credentials, but libraries send them anyway.
    const visitor = `visitor-${crypto.randomUUID()}`;
    const chat = `/visitors/${visitor}/chat`;
    const start = { licence_id: shop.license, welcome_message: 'Cześć?', name: 'Ann', email: 'ann@far.test' };
    const { secured_session_id, banned } = await call('POST', 'start_visitor_chat', `${chat}/start`, start);
    expect(banned).toBe(false);
    const session = { licence_id: shop.license, secured_session_id };
    expect(await call('POST', 'send_visitor_message', `${chat}/send_message`, { ...session, message: 'x' })).toEqual({
      success: true,
    });
    const poll = { ...session, last_message_id: 0 };
    const { events } = await call('GET', 'get_pending_messages', `${chat}/get_pending_messages`, poll);
    expect(events.map(({ text }: Json) => text)).toEqual(['Cześć?', 'x']);
    const visitors = await call('GET', 'list_visitors', '/visitors', { group: [0], count: 0 });
    expect(visitors.map(({ id }: Json) => id)).toEqual([visitor]);
    await call('GET', 'list_visitors_by_state', '/visitors/chatting');

    // Goals and greetings.
    const goal = await call('POST', 'create_goal', '/goals', { name: 'Bought', type: 'url', url: '/thanks?a=1' });
    expect(goal).toMatchObject({ url: '/thanks?a=1', match_type: 'substring' });
    await call('GET', 'list_goals', '/goals', { type: 'url' });
    await call('GET', 'get_goal', `/goals/${goal.id}`);
    await call('PUT', 'update_goal', `/goals/${goal.id}`, { type: 'api', active: 1 });
    await call('POST', 'mark_goal_as_successful', `/goals/${goal.id}/mark_as_successful`, {
      ...{ visitor_id: visitor, order_id: '7', order_price: '19.90', order_currency: 'EUR' },
    });
    await call('DELETE', 'delete_goal', `/goals/${goal.id}`);
    const rules = [
      { type: 'url_current', operator: 'contains', value: 'shoes' },
      {
        type: 'url_funnel',
        urls: [
          { url: '/a', operator: 'contains' },
          { url: '/b', operator: 'equals' },
        ],
      },
    ];
    const greeting = await call('POST', 'create_greeting', '/greetings', { name: 'Welcome', rules });
    expect(greeting.rules).toMatchObject(rules);
    await call('GET', 'list_greetings', '/greetings', { group: 0 });
    await call('GET', 'get_greeting', `/greetings/${greeting.id}`);
    const properties = { 'greeting-message_text': 'Can I help?' };
    const spoken = await call('PUT', 'update_greeting', `/greetings/${greeting.id}`, { properties, active: 0 });
    expect(spoken).toMatchObject({ active: false, properties });
    await call('DELETE', 'delete_greeting', `/greetings/${greeting.id}`);

    // Webhooks, and the visitor details that their token authorizes.
    const hook = { event_type: 'chat_started', data_types: ['visitor'], url: 'https://far.test/hook?a=1&b=2' };
    const [webhook] = (await call('POST', 'create_webhook', '/webhooks', hook)).events;
    expect(webhook).toMatchObject(hook);
    await call('GET', 'list_webhooks', '/webhooks');
    const fields = [
      { name: 'Plan', value: 'gold' },
      { name: 'Page', value: 'open', url: 'https://crm.test/ann' },
    ];
    const details = { license_id: shop.license, token: webhook.token, id: 'crm', fields };
    await call('POST', 'add_visitor_details', `/visitors/${visitor}/details`, details);
    await call('DELETE', 'delete_webhook', `/webhooks/${webhook.id}`);

    // The archive.
    expect(await call('POST', 'close_visitor_chat', `${chat}/close`, session)).toEqual({ success: true });
    const { chats } = await call('GET', 'list_chats', '/chats', { visitor_id: visitor, page: 1 });
    expect(chats).toHaveLength(1);
    const archived = `/chats/${chats[0].id}`;
    expect((await call('PUT', 'update_chat_tags', `${archived}/tags`, { tag: ['sale'] })).chats[0].tags).toEqual([
      'sale',
    ]);
    expect((await call('GET', 'list_chats', '/chats', { tag: ['sale'] })).total).toBe(1);
    await call('GET', 'get_chat', archived);
    await call('POST', 'send_transcript', `${archived}/send_transcript`, { to: 'ann@far.test' });

    // Tags, with a space in the path.
    await call('POST', 'create_tag', '/tags', { author: login, tag: 'big sale', group: 0 });
    await call('GET', 'list_tags', '/tags', { group: 0 });
    await call('DELETE', 'delete_tag', '/tags/big%20sale', { group: 0 });

    // Tickets.
    const ticket = await call('POST', 'create_ticket', '/tickets', {
      ...{ message: 'Two\nlines', requester: { mail: 'ann@far.test', name: 'Ann' }, subject: 'Help' },
      ...{ assignee: { id: agent }, source: { type: 'mail' }, group: [0] },
    });
    expect(ticket.assignee.id).toBe(agent);
    expect(ticket.events[0].message).toBe('Two\nlines');
    const wanted = { requester: { mail: 'ann@far.test' }, assigned: 1, status: 'open', order: 'asc' };
    expect(await call('GET', 'list_tickets', '/tickets', wanted)).toMatchObject({ total: 1, pages: 1 });
    await call('GET', 'get_ticket', `/tickets/${ticket.id}`);
    await call('PUT', 'set_ticket_tags', `/tickets/${ticket.id}/tags`, { tag: ['late'] });

    // Reports.
    for (const [operation, path] of reportsOf()) {
      const dates = { date_from: '2026-01-01', group_by: 'month', tag: ['sale'], group: 0 };
      const occupancy = path.endsWith('agents_occupancy');
      await call('GET', operation, path, occupancy ? { weekday: 'mon' } : dates);
    }

    // Deletions: DELETE with the content type of a form and no body.
    await call('DELETE', 'delete_group', `/groups/${group.id}`);
    await call('DELETE', 'delete_agent', `/agents/${agent}`);

    const all = chatOpsContract.operations.map(({ name }) => name).toSorted();
    expect([...called].toSorted()).toEqual(all);
  },
);

it('client libraries find the same error message in each of the three places they read', async () => {
  const { owner } = await newShop(target);
  const { call } = createLibraryClient(styles[0]!, owner.login, 'dal-wrong');
  const message = await call('GET', 'list_agents', '/agents').catch(({ message }: Error) => message);
  const [, first, second, third] = /: 401: (.+) \| (.+) \| (.+)$/.exec(message)!;
  expect([second, third]).toEqual([first, first]);
});
