import type { InjectOptions } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAs } from '#server/testing/http/call-customer.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const test = useTestApp();
let organization: TestOrganization;
beforeEach(async () => {
  organization = await buildOrganization(test);
});

type Headers = Record<string, string>;

const send = async (options: InjectOptions) => {
  const response = await test.app.inject(options);
  const cookies = Object.fromEntries(response.cookies.map((cookie) => [cookie.name, cookie]));
  return { status: response.statusCode, headers: response.headers, cookies, body: response.json() };
};
const ask = (body: unknown, headers: Headers = {}) =>
  send({
    method: 'POST',
    url: '/v2/customer/token',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
const grant = (input: object = {}) => ({
  grant_type: 'cookie',
  client_id: 'a-client',
  response_type: 'token',
  organization_id: organization.id,
  ...input,
});
const agentGrant = (input: object = {}) => ({
  ...grant({ grant_type: 'agent_token', organization_id: undefined }),
  ...input,
});
const cookieHeader = (cid: string, cst: string): Headers => ({ cookie: `__lc_cid=${cid}; __lc_cst=${cst}` });
const errorResponse = (status: number, oauth_exception: string) => ({ status, body: { oauth_exception } });
const worksFor = async (token: string) =>
  (await callAs(test, organization, { id: '', token })('list_chats')).status === 200;

describe('the cookie grant', () => {
  it('the cookie grant creates a customer and sets two cookies', async () => {
    const { status, body, cookies } = await ask(grant());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^dal:.{43}$/),
      client_id: 'a-client',
      entity_id: expect.stringMatching(UUID),
      expires_in: 28800,
      token_type: 'Bearer',
      organization_id: organization.id,
    });
    expect(await worksFor(body.access_token)).toBe(true);
    expect(cookies.__lc_cid).toMatchObject({
      value: body.entity_id,
      path: '/v2/customer',
      httpOnly: true,
      maxAge: 63072000,
      sameSite: 'Lax',
    });
    expect(cookies.__lc_cst!.value).toMatch(/^[0-9a-f]{64}$/);
  });

  it('cookies identify a returning customer', async () => {
    const first = await ask(grant());
    const { __lc_cid, __lc_cst } = first.cookies;
    const again = await ask(grant(), cookieHeader(__lc_cid!.value, __lc_cst!.value));
    expect(again.body.entity_id).toBe(first.body.entity_id);
    expect(again.body.access_token).not.toBe(first.body.access_token);
    expect(again.cookies.__lc_cst!.value).toBe(__lc_cst!.value);
    expect(await worksFor(first.body.access_token)).toBe(true);
  });

  it('invalid cookies create a new customer', async () => {
    const first = await ask(grant());
    const { __lc_cid: cid, __lc_cst: cst } = first.cookies;
    const other = await ask(grant());
    for (const header of [
      cookieHeader(cid!.value, 'wrong'),
      cookieHeader(cid!.value, other.cookies.__lc_cst!.value),
      cookieHeader(UNKNOWN_ID, cst!.value),
      cookieHeader("' or 1=1 --", cst!.value),
      { cookie: `__lc_cid=${cid!.value}` },
      { cookie: '__lc_cid=%00; __lc_cst=%zz' },
    ]) {
      const answer = await ask(grant(), header);
      expect(answer.status).toBe(200);
      expect([first.body.entity_id, other.body.entity_id]).not.toContain(answer.body.entity_id);
    }
  });

  it('the cookies of one organization do not identify a customer in another', async () => {
    const first = await ask(grant());
    const elsewhere = await buildOrganization(test);
    const cookies = cookieHeader(first.cookies.__lc_cid!.value, first.cookies.__lc_cst!.value);
    const answer = await ask(grant({ organization_id: elsewhere.id }), cookies);
    expect(answer.body.entity_id).not.toBe(first.body.entity_id);
  });

  it('a customer created by a server is never bound to browser cookies', async () => {
    const byAgent = await ask(agentGrant(), { authorization: organization.owner.basic });
    const answer = await ask(grant(), cookieHeader(byAgent.body.entity_id, ''));
    expect(answer.body.entity_id).not.toBe(byAgent.body.entity_id);
  });

  it('cookies are set for cross-site use over TLS, separately for each site', async () => {
    await using secure = await startTestApp({ beside: test, config: { publicUrl: 'https://chat.example' } });
    const response = await secure.app.inject({ method: 'POST', url: '/v2/customer/token', payload: grant() });
    for (const cookie of response.cookies)
      expect(cookie).toMatchObject({ secure: true, sameSite: 'None', httpOnly: true });
    expect(response.headers['set-cookie']).toHaveLength(2);
    for (const cookie of response.headers['set-cookie'] as string[]) expect(cookie).toMatch(/; Partitioned(;|$)/);
  });

  it.each(['text/plain', 'text/plain;charset=UTF-8', 'application/octet-stream', 'application/json'])(
    'accepts a body with the content type %s',
    async (type) => expect((await ask(grant(), { 'content-type': type })).status).toBe(200),
  );

  it.each<[string, object | string]>([
    ['no grant', { grant_type: undefined }],
    ['an unknown grant', { grant_type: 'password' }],
    ['no client', { client_id: undefined }],
    ['a client that is too long', { client_id: 'x'.repeat(129) }],
    ['another response type', { response_type: 'code' }],
    ['no organization', { organization_id: undefined }],
    ['a number for an organization', { organization_id: 5 }],
  ])('the cookie grant rejects %s', async (_, input) =>
    expect(await ask(grant(input as object))).toMatchObject(errorResponse(400, 'invalid_request')),
  );

  it.each(['', '{', 'grant_type=cookie', '[]', '"x"', '{"a":1,"a":2}'])(
    'the cookie grant rejects the body %j',
    async (body) => expect(await ask(body)).toMatchObject(errorResponse(400, 'invalid_request')),
  );

  it('the cookie grant requires an organization with a valid license', async () => {
    expect(await ask(grant({ organization_id: UNKNOWN_ID }))).toMatchObject(errorResponse(404, 'resource_not_found'));
    expect(await ask(grant({ organization_id: 'x' }))).toMatchObject(errorResponse(404, 'resource_not_found'));
    await setOrganization({ status: 'expired' });
    expect(await ask(grant())).toMatchObject(errorResponse(403, 'access_denied'));
  });
});

describe('the agent_token grant', () => {
  it.each(['bearer', 'basic'] as const)(
    'the agent_token grant creates a customer for an agent with %s authentication',
    async (scheme) => {
      const { owner } = organization;
      const authorization = scheme === 'basic' ? owner.basic : `Bearer ${owner.apiKey}`;
      const { status, body, cookies } = await ask(agentGrant(), { authorization });
      expect([status, body.organization_id, Object.keys(cookies)]).toEqual([200, organization.id, []]);
      expect(await worksFor(body.access_token)).toBe(true);
    },
  );

  it("the agent_token grant works only for customers of the agent's organization", async () => {
    const authorization = organization.owner.basic;
    const own = await buildCustomer(organization);
    const foreign = await buildCustomer(await buildOrganization(test));
    expect((await ask(agentGrant({ entity_id: own.id }), { authorization })).body.entity_id).toBe(own.id);
    for (const entity_id of [foreign.id, UNKNOWN_ID, 'x', ''])
      expect(await ask(agentGrant({ entity_id }), { authorization })).toMatchObject(
        errorResponse(404, 'resource_not_found'),
      );
  });

  it('lets the key of a normal agent act only for customers without a browser whose chats the agent sees', async () => {
    await buildGroup(organization, 5);
    const sales = await buildAgent(organization, { groupIds: [5] });
    const outsider = await buildAgent(organization);
    const bot = await test.app.inject({
      ...{ method: 'POST', url: '/v3.5/configuration/action/create_bot', payload: { name: 'Bot' } },
      headers: { authorization: organization.owner.basic },
    });
    const outsiders = [outsider.basic, `Bearer ${bot.json().token}`];
    const as = (authorization: string, entity_id?: string) => ask(agentGrant({ entity_id }), { authorization });

    const { body } = await as(sales.basic);
    expect((await as(outsider.basic, body.entity_id)).status).toBe(200);
    const own = callAs(test, organization, { id: body.entity_id, token: body.access_token });
    const started = await own('start_chat', { chat: { access: { group_ids: [5] } }, continuous: true });
    expect(started.status).toBe(200);
    for (const authorization of outsiders)
      expect(await as(authorization, body.entity_id)).toMatchObject(errorResponse(403, 'forbidden'));
    expect((await as(sales.basic, body.entity_id)).status).toBe(200);

    const browser = (await ask(grant())).body.entity_id;
    for (const authorization of [...outsiders, sales.basic])
      expect(await as(authorization, browser)).toMatchObject(errorResponse(403, 'forbidden'));
    const administrator = await buildAgent(organization, { permission: 'administrator' });
    for (const authorization of [administrator.basic, organization.owner.basic])
      expect((await as(authorization, browser)).status).toBe(200);
  });

  it('a token for another organization is rejected', async () => {
    const foreign = await buildOrganization(test);
    const headers = { authorization: `Bearer ${organization.owner.apiKey}` };
    expect(await ask(agentGrant({ organization_id: foreign.id }), headers)).toMatchObject(
      errorResponse(403, 'forbidden'),
    );
    expect((await ask(agentGrant({ organization_id: organization.id }), headers)).status).toBe(200);
  });

  it('the agent_token grant requires an agent', async () => {
    const customer = await buildCustomer(organization);
    const { login } = await buildAgent(organization);
    const { apiKey } = organization.owner;
    const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const headers: Headers[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: `Bearer ${customer.token}` },
      { authorization: `Bearer ${test.operatorToken}` },
      { authorization: basic(login, apiKey) },
      { authorization: basic('', apiKey) },
    ];
    for (const header of headers)
      expect(await ask(agentGrant(), header)).toMatchObject(errorResponse(401, 'invalid_grant'));
  });

  it('the grant requires an existing agent and a valid license', async () => {
    const agent = await buildAgent(organization);
    const ofAgent = { authorization: agent.basic };
    expect((await ask(agentGrant(), ofAgent)).status).toBe(200);
    await organization.scope.update('agents').where('id', '=', agent.login).set({ deletedAt: new Date() }).execute();
    expect(await ask(agentGrant(), ofAgent)).toMatchObject(errorResponse(401, 'invalid_grant'));
    await setOrganization({ status: 'blocked' });
    expect(await ask(agentGrant(), { authorization: organization.owner.basic })).toMatchObject(
      errorResponse(403, 'access_denied'),
    );
  });

  it('a token of another region is answered with that region', async () => {
    expect(await ask(agentGrant(), { authorization: 'Bearer fra-key' })).toMatchObject({ status: 421 });
  });
});

describe('trusted domains', () => {
  it.each([
    ['https://shop.example', 200],
    ['https://www.shop.example', 200],
    ['http://shop.example:8080', 200],
    [undefined, 200],
    ['https://evil.example', 403],
    ['https://notshop.example', 403],
    ['https://shop.example.evil.example', 403],
    ['null', 403],
    ['shop.example', 403],
  ])('answer the origin %s with status %i', async (origin, status) => {
    await setOrganization({ trustedDomains: ['shop.example'] });
    expect((await ask(grant(), origin ? { origin } : {})).status).toBe(status);
  });

  it('responses repeat the exact origin, so that browsers send cookies', async () => {
    const { headers } = await ask(grant(), { origin: 'https://www.shop.example' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://www.shop.example',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
    expect((await ask(grant(), { origin: 'null' })).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await ask(grant())).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('preflight requests are answered', async () => {
    const preflight = await test.app.inject({
      method: 'OPTIONS',
      url: '/v2/customer/token',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'DELETE' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': expect.stringContaining('DELETE'),
    });
  });
});

describe('a token', () => {
  const withToken = (method: 'GET' | 'DELETE', path: string, token: string) =>
    send({ method, url: `/v2/customer/${path}`, headers: { authorization: `Bearer ${token}` } });

  it('the token info has its owner and lifetime', async () => {
    const { body } = await ask(grant());
    test.clock.advance(60_500);
    expect(await withToken('GET', 'info', body.access_token)).toMatchObject({
      status: 200,
      body: { ...body, expires_in: 28739 },
    });
  });

  it('a revoked token is gone and cannot be revoked again', async () => {
    const { access_token } = (await ask(grant())).body;
    const other = (await ask(grant())).body.access_token;
    expect(await worksFor(access_token)).toBe(true);
    expect(await withToken('DELETE', 'token', access_token)).toMatchObject({ status: 200, body: {} });
    expect(await withToken('GET', 'info', access_token)).toMatchObject(errorResponse(401, 'invalid_grant'));
    expect(await withToken('DELETE', 'token', access_token)).toMatchObject(errorResponse(401, 'invalid_grant'));
    expect(await worksFor(access_token)).toBe(false);
    expect(await worksFor(other)).toBe(true);
  });

  it('the token may be in the query', async () => {
    const { token } = await buildCustomer(organization);
    const url = `/v2/customer/info?code=${encodeURIComponent(token)}`;
    expect(await send({ url })).toMatchObject({ status: 200, body: { access_token: token } });
    expect((await send({ method: 'DELETE', url: url.replace('info', 'token') })).status).toBe(200);
    expect((await send({ url })).status).toBe(401);
  });

  it('a credential is required', async () => {
    for (const method of ['GET', 'DELETE'] as const)
      expect(await withToken(method, method === 'GET' ? 'info' : 'token', 'x')).toMatchObject(
        errorResponse(401, 'invalid_grant'),
      );
  });

  it('the sandbox provider has its own paths', async () => {
    expect(await send({ method: 'GET', url: '/v2/customer/nothing' })).toMatchObject(
      errorResponse(404, 'resource_not_found'),
    );
    const wrong = await send({ method: 'PUT', url: '/v2/customer/token' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, expect.stringContaining('POST')]);
  });
});

const setOrganization = (changes: { status?: 'expired' | 'blocked'; trustedDomains?: string[] }) =>
  test.context.database.kysely.updateTable('organizations').where('id', '=', organization.id).set(changes).execute();
