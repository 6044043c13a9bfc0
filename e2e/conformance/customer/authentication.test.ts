import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, createCaller, expectError, GET_OPERATIONS, send, UUID } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const operations = [
  'list_chats',
  'list_threads',
  'get_chat',
  'start_chat',
  'resume_chat',
  'deactivate_chat',
  'send_event',
  'upload_file',
  'send_rich_message_postback',
  'send_sneak_peek',
  'mark_events_as_seen',
  'get_dynamic_configuration',
  'get_configuration',
  'get_localization',
  'update_chat_properties',
  'delete_chat_properties',
  'update_thread_properties',
  'delete_thread_properties',
  'update_event_properties',
  'delete_event_properties',
  'update_customer',
  'set_customer_session_fields',
  'get_customer',
  'list_group_statuses',
  'check_goals',
  'get_form',
  'get_predicted_agent',
  'get_url_info',
  'accept_greeting',
  'cancel_greeting',
  'request_email_verification',
];

const withToken = (customer: Caller, token: string): Caller =>
  createCaller({ url: customer.url, organizationId: customer.organizationId, customerId: customer.id, token });

describe('customer tokens', () => {
  it.each(operations)('%s requires a token', async (operation) => {
    const customer = withToken(await organization.customer(), 'dal:no-such-token');
    expectError(await customer.call(operation), 'authentication');
    const url = `${target.url}/v3.5/customer/action/${operation}?organization_id=${organization.id}`;
    const method = GET_OPERATIONS.includes(operation) ? 'GET' : 'POST';
    const body = method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {};
    expectError(await send(url, { method, ...body }), 'authentication');
  });

  it.each(['list_license_properties', 'list_group_properties?id=0'])('%s requires no token', async (operation) => {
    const [name, query = ''] = operation.split('?');
    const url = `${target.url}/v3.5/customer/action/${name}?organization_id=${organization.id}&${query}`;
    expect((await send(url, {})).status).toBe(200);
  });

  it.each(['Bearer', 'Bearer ', 'Basic abc', 'dal:x', 'bearer dal:x', 'Bearer a b'])(
    'the Authorization header %j is rejected',
    async (authorization) => {
      const customer = await organization.customer();
      expectError(await customer.call('get_customer', {}, { headers: { authorization } }), 'authentication');
    },
  );

  it('a token of an agent is rejected', async () => {
    const customer = await organization.customer();
    const headers = { authorization: organization.owner };
    expectError(await customer.call('get_customer', {}, { headers }), 'authentication');
  });

  it('a token is rejected for another organization', async () => {
    const [customer, other] = [await organization.customer(), await newOrganization(target)];
    expectError(await customer.call('get_customer', {}, { query: { organization_id: other.id } }), 'authentication');
  });

  it('a token of another data center is answered with misdirected_request', async () => {
    const customer = await organization.customer();
    expect(customer.token).toMatch(/^(dal|fra):/);
    const [own, other] = customer.token.startsWith('dal') ? ['dal', 'fra'] : ['fra', 'dal'];
    const response = await withToken(customer, customer.token.replace(own, other)).call('get_customer');
    expectError(response, 'misdirected_request');
    expect(response.body.error.data).toEqual({ region: other });
    for (const region of [own, own.toUpperCase()]) {
      expect((await customer.call('get_customer', {}, { headers: { 'x-region': region } })).status).toBe(200);
    }
  });

  itWithDatabase(target)('a token expires', async () => {
    const customer = await organization.customer();
    await target.runSql!(`update customer_tokens set expires_at = now() - interval '1 s' where customer_id = $1`, [
      customer.id,
    ]);
    expectError(await customer.call('get_customer'), 'authentication');
  });
});

describe('POST /v2/customer/token', () => {
  const grant = { grant_type: 'cookie', client_id: 'c', response_type: 'token', organization_id: organization.id };
  const sendRequest = (body: object, headers: Record<string, string> = {}) =>
    send(`${target.url}/v2/customer/token`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body: JSON.stringify(body),
    });

  it('POST /v2/customer/token keeps the identity of a browser in cookies', async () => {
    const first = await sendRequest(grant);
    expect({ status: first.status, body: first.body }).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^(dal|fra):./),
        client_id: 'c',
        entity_id: expect.stringMatching(UUID),
        expires_in: 28_800,
        token_type: 'Bearer',
        organization_id: organization.id,
      },
    });
    const cookies = first.headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0]).toSorted()).toEqual(['__lc_cid', '__lc_cst']);
    for (const cookie of cookies) expect(cookie).toMatch(/Path=\/v2\/customer.*/);
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ');
    expect((await sendRequest(grant, { cookie })).body.entity_id).toBe(first.body.entity_id);
    expect((await sendRequest(grant)).body.entity_id).not.toBe(first.body.entity_id);
  });

  it('POST /v2/customer/token issues a token to a server that acts for a customer', async () => {
    const { entity_id } = (await sendRequest(grant)).body;
    const body = { ...grant, grant_type: 'agent_token', entity_id };
    expect((await sendRequest(body, { authorization: organization.owner })).body).toMatchObject({ entity_id });
    const rejected = await sendRequest(body);
    expect({ status: rejected.status, body: rejected.body }).toMatchObject({
      status: 401,
      body: { oauth_exception: expect.any(String), exception_description: expect.any(String) },
    });
  });

  it('a token can be inspected and revoked', async () => {
    const { access_token, entity_id } = (await sendRequest(grant)).body;
    const headers = { authorization: `Bearer ${access_token}` };
    const info = await send(`${target.url}/v2/customer/info`, { headers });
    expect(info.body).toMatchObject({ entity_id, organization_id: organization.id });
    const revoked = await send(`${target.url}/v2/customer/token`, { method: 'DELETE', headers });
    expect({ status: revoked.status, body: revoked.body }).toEqual({ status: 200, body: {} });
    const customer = createCaller({
      url: target.url,
      organizationId: organization.id,
      customerId: entity_id,
      token: access_token,
    });
    expectError(await customer.call('get_customer'), 'authentication');
  });

  it.each([
    ['an unknown grant', { grant_type: 'wish' }],
    ['no client', { client_id: undefined }],
    ['another response type', { response_type: 'code' }],
    ['an unknown organization', { organization_id: crypto.randomUUID() }],
  ])('POST /v2/customer/token rejects %s', async (_, change) => {
    const { status, body } = await sendRequest({ ...grant, ...change });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).toMatchObject({ oauth_exception: expect.any(String), exception_description: expect.any(String) });
  });
});
