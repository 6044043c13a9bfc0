import { beforeAll, describe, expect, it } from 'vitest';
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

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let other: TestOrganization;
let customer: TestCustomer;
let normal: TestAgent;
let inSales: TestAgent;

beforeAll(async () => {
  organization = await buildOrganization(test);
  other = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
  normal = await buildAgent(organization);
  inSales = await buildAgent(organization, { groupIds: [SALES] });
});

const post = async (url: string, authorization: string | undefined, payload: object, headers: object = {}) => {
  const response = await test.app.inject({
    method: 'POST',
    url,
    headers: { ...(authorization ? { authorization } : {}), ...headers },
    payload,
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};
const asAgent = (operation: string, body: object, authorization = `Bearer ${organization.owner.apiKey}`, query = '') =>
  post(`/v3.5/agent/action/${operation}${query}`, authorization, body);
const asCustomer = (operation: string, body: object) =>
  post(`/v3.5/customer/action/${operation}?organization_id=${organization.id}`, `Bearer ${customer.token}`, body);

const message = (text: string, more: object = {}) => ({ type: 'message', text, ...more });
const startChat = async (groupIds = [0]): Promise<{ chat_id: string; thread_id: string }> => {
  test.clock.advance(1000);
  const { body } = await asCustomer('start_chat', {
    chat: { access: { group_ids: groupIds }, thread: { events: [message('Hello')] } },
    continuous: true,
  });
  return body;
};

describe('an agent', () => {
  it('answers a customer without revealing the login to the customer', async () => {
    const { chat_id, thread_id } = await startChat();
    const sent = await asAgent('send_event', { chat_id, event: message('How can I help?') });
    expect(sent).toMatchObject({ status: 200, body: { event_id: `${thread_id}_2` } });
    const { body } = await asAgent('list_chats', { limit: 1 });
    expect(body.chats_summary[0].last_event_per_type.message.event).toMatchObject({
      author_id: organization.owner.login,
      text: 'How can I help?',
    });
    expect(body.chats_summary[0].users).toContainEqual(
      expect.objectContaining({ type: 'agent', id: organization.owner.login }),
    );
    const seen = await asCustomer('get_chat', { chat_id });
    expect(JSON.stringify(seen.body)).not.toContain(organization.owner.login);
  });

  it('writes notes the customer never sees', async () => {
    const { chat_id } = await startChat();
    await asAgent('send_event', { chat_id, event: message('A difficult one', { visibility: 'agents' }) });
    await asAgent('send_event', { chat_id, event: message('Also here', { recipients: 'agents' }) });
    const seen = await asCustomer('get_chat', { chat_id });
    expect(seen.body.thread.events.map(({ text }: { text: string }) => text)).toEqual(['Hello']);
  });

  it('sees events that a customer sent with visibility agents', async () => {
    const { chat_id } = await startChat();
    await asCustomer('send_event', { chat_id, event: message('Psst', { visibility: 'agents' }) });
    const seen = await asCustomer('get_chat', { chat_id });
    expect(seen.body.thread.events.at(-1)).toMatchObject({ text: 'Psst', visibility: 'all' });
  });

  it('may retry an event with the same custom_id', async () => {
    const { chat_id } = await startChat();
    const event = message('Once', { custom_id: 'one' });
    const first = await asAgent('send_event', { chat_id, event });
    expect((await asAgent('send_event', { chat_id, event })).body).toEqual(first.body);
  });

  it('can access only the chats of the agent’s groups, unless an administrator', async () => {
    const { chat_id } = await startChat([SALES]);
    const idsOf = async (agent: TestAgent): Promise<string[]> =>
      (await asAgent('list_chats', { limit: 100 }, agent.basic)).body.chats_summary.map(({ id }: { id: string }) => id);
    expect(await idsOf(inSales)).toContain(chat_id);
    expect(await idsOf(organization.owner)).toContain(chat_id);
    expect(await idsOf(normal)).not.toContain(chat_id);
    const refused = await asAgent('send_event', { chat_id, event: message('Let me in') }, normal.basic);
    expect(refused).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } });
    expect((await asAgent('send_event', { chat_id, event: message('Hi') }, inSales.basic)).status).toBe(200);
  });

  it('cannot access another organization', async () => {
    const { chat_id } = await startChat();
    const foreign = await asAgent('send_event', { chat_id, event: message('Hi') }, other.owner.basic);
    expect(foreign).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } });
    expect((await asAgent('list_chats', {}, other.owner.basic)).body).toMatchObject({
      chats_summary: [],
      found_chats: 0,
    });
  });
});

describe('list_chats', () => {
  it('filters, counts and paginates', async () => {
    const otherShop = await buildOrganization(test);
    const visitor = await buildCustomer(otherShop);
    await buildGroup(otherShop, SALES);
    const call = (operation: string, body: object) =>
      post(`/v3.5/customer/action/${operation}?organization_id=${otherShop.id}`, `Bearer ${visitor.token}`, body);
    const ids: string[] = [];
    for (const group_ids of [[0], [SALES], [0]]) {
      ids.push((await call('start_chat', { chat: { access: { group_ids } }, continuous: true })).body.chat_id);
      test.clock.advance(1000);
    }
    await call('deactivate_chat', { id: ids[0] });
    const list = async (body: object) => (await asAgent('list_chats', body, otherShop.owner.basic)).body;
    const idsOf = (body: { chats_summary: { id: string }[] }) => body.chats_summary.map(({ id }) => id);
    expect(idsOf(await list({}))).toEqual(ids.toReversed());
    expect(idsOf(await list({ sort_order: 'asc', filters: null }))).toEqual(ids);
    expect(idsOf(await list({ filters: { include_active: false } }))).toEqual([ids[0]]);
    expect(idsOf(await list({ filters: { include_archived: false } }))).not.toContain(ids[0]);
    expect(idsOf(await list({ filters: { group_ids: [SALES] } }))).toEqual([ids[1]]);
    const first = await list({ limit: 2 });
    expect(first).toMatchObject({ found_chats: 3, total_chats: 3 });
    const second = await list({ page_id: first.next_page_id });
    expect(idsOf(second)).toEqual([ids[0]]);
    expect(idsOf(await list({ page_id: second.previous_page_id }))).toEqual([ids[2], ids[1]]);
    expect(await list({ page_id: first.next_page_id, filters: { include_active: false } })).toMatchObject({
      error: { type: 'validation' },
    });
    expect(await list({ limit: 101 })).toMatchObject({ error: { type: 'validation' } });
  });
});

describe('the agent API rejects', () => {
  it.each([
    ['no credential', undefined],
    ['a wrong API key', 'Bearer dal-wrong'],
    ['a key with another login', () => `Basic ${btoa(`somebody@shop.test:${organization.owner.apiKey}`)}`],
    ['a customer token', () => `Bearer ${customer.token}`],
  ])('%s', async (_, authorization) => {
    const header = typeof authorization === 'function' ? authorization() : authorization;
    const { status, body } = await post('/v3.5/agent/action/list_chats', header, {});
    expect({ status, type: body.error.type }).toEqual({ status: 401, type: 'authentication' });
  });

  it('a credential of another region', async () => {
    expect(await asAgent('list_chats', {}, 'Bearer fra-elsewhere')).toMatchObject({
      status: 421,
      body: { error: { type: 'misdirected_request', data: { region: 'fra' } } },
    });
  });

  it('an organization that does not match the credential', async () => {
    const key = `Bearer ${organization.owner.apiKey}`;
    expect((await asAgent('list_chats', {}, key, `?organization_id=${organization.id}`)).status).toBe(200);
    expect((await asAgent('list_chats', {}, key, `?organization_id=${other.id}`)).status).toBe(401);
  });

  it('changes when the license has expired, but allows reading', async () => {
    const ended = await buildOrganization(test);
    const db = test.context.database.kysely;
    await db.updateTable('organizations').where('id', '=', ended.id).set({ status: 'expired' }).execute();
    expect((await asAgent('list_chats', {}, ended.owner.basic)).status).toBe(200);
    const sent = await asAgent('send_event', { chat_id: 'X', event: message('Hi') }, ended.owner.basic);
    expect(sent).toMatchObject({ status: 402, body: { error: { type: 'license_expired' } } });
  });

  it('invalid events, unknown chats and unknown operations', async () => {
    const type = async (answer: ReturnType<typeof asAgent>) => (await answer).body.error.type;
    expect(await type(asAgent('send_event', { chat_id: 'X', event: { type: 'form' } }))).toBe('validation');
    expect(await type(asAgent('send_event', { chat_id: 'X', event: message('Hi') }))).toBe('not_found');
    expect(await type(asAgent('no_such_operation', {}))).toBe('not_found');
  });

  it('other versions in the URL or in the header', async () => {
    const key = `Bearer ${organization.owner.apiKey}`;
    const byHeader = (version: string) => post('/agent/action/list_chats', key, {}, { 'x-api-version': version });
    expect((await byHeader('3.5')).status).toBe(200);
    expect((await byHeader('3.4')).body.error.type).toBe('unsupported_version');
    expect((await post('/v3.4/agent/action/list_chats', key, {})).body.error.type).toBe('unsupported_version');
  });
});

it('allows requests from pages of any origin', async () => {
  const { headers } = await asAgent('list_chats', {});
  expect(headers['access-control-allow-origin']).toBe('*');
});
