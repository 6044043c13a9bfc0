import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { scopeOfPath } from '#server/dialects/needed-scopes.ts';
import { deleteAgent } from '#server/domain/agents/delete-agent.ts';
import { allScopes, type Scope } from '#server/domain/oauth/scopes.ts';
import { agentScope } from '#server/testing/chats.ts';
import { exampleOf, toQueryString } from '#server/testing/examples.ts';
import { buildAgent, buildOrganization, type TestAgent, type TestOrganization } from '#server/testing/factories.ts';
import { buildProgram } from '#server/testing/programs.ts';
import { startTestApp, type TestApp } from '#server/testing/start-app.ts';
import { buildTenant } from '#server/testing/tenants.ts';

let test: TestApp;
let shop: TestOrganization;
let alma: TestAgent;
beforeAll(async () => {
  test = await startTestApp();
  shop = await buildOrganization(test);
  alma = await buildAgent(shop);
});
afterAll(() => test[Symbol.asyncDispose]());

const REDIRECT = 'https://app.test/callback';
const OWN_PAGE = { origin: 'http://parley.test', 'content-type': 'application/x-www-form-urlencoded' };

const configure = async (agent: TestAgent, action: string, payload: object) => {
  const url = `/v3.5/configuration/action/${action}`;
  const response = await test.app.inject({ method: 'POST', url, headers: { authorization: agent.basic }, payload });
  return { status: response.statusCode, body: response.json() };
};

const register = async (input: object = {}) => {
  const { body } = await configure(shop.owner, 'register_oauth_client', {
    ...{ name: 'Reporter', redirect_uris: [REDIRECT], scopes: ['reports_read', 'agents_read'], type: 'confidential' },
    ...input,
  });
  return body as { client_id: string; client_secret: string };
};

const linkTo = (client_id: string, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: REDIRECT, state: 'xyz', ...more })}`;

const cookieOf = (headers: Record<string, unknown>): string => String(headers['set-cookie']).split(';')[0]!;

const signIn = async ({ login }: TestAgent, password = 'a long password') => {
  const payload = { login, password };
  const { statusCode, headers, body } = await test.app.inject({ method: 'POST', url: '/signin', payload });
  return { status: statusCode, cookie: cookieOf(headers), setCookie: String(headers['set-cookie']), body };
};

const post = (url: string, cookie: string, form: Record<string, string>, headers: Record<string, string> = OWN_PAGE) =>
  test.app.inject({
    ...{ method: 'POST', url, headers: { ...headers, cookie } },
    payload: new URLSearchParams(form).toString(),
  });

const ticketOf = (page: string): string => /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** The whole way of an agent through the pages; what the program gets to see. */
const consent = async (link: string, agent = alma, decision = 'allow'): Promise<URL> => {
  const { cookie } = await signIn(agent);
  const page = await test.app.inject({ url: link, headers: { cookie } });
  const answer = await post(link, cookie, { ticket: ticketOf(page.body), decision });
  expect(answer.statusCode).toBe(303);
  return new URL(String(answer.headers.location));
};

const exchange = async (form: Record<string, string>) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams(form).toString();
  const response = await test.app.inject({ method: 'POST', url: '/v2/token', headers, payload });
  return { status: response.statusCode, body: response.json() };
};

const info = async (token: string): Promise<number> =>
  (await test.app.inject({ url: '/v2/info', headers: { authorization: `Bearer ${token}` } })).statusCode;

describe('the way from a link to a token', () => {
  it('asks the agent, gives a code, and tokens for it', async () => {
    const { client_id, client_secret } = await register();
    const link = linkTo(client_id);
    const stranger = await test.app.inject(link);
    expect(stranger.statusCode).toBe(200);
    expect(stranger.body).toContain('type="password"');
    const { cookie } = await signIn(alma);
    const page = await test.app.inject({ url: link, headers: { cookie } });
    expect(page.body).toContain('Let Reporter in?');
    expect(page.body).toContain('<li>Read reports</li>');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://app.test");
    expect(page.headers['x-frame-options']).toBe('DENY');
    const back = await consent(link);
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('xyz');
    const code = back.searchParams.get('code')!;
    const { status, body } = await exchange({
      ...{ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri: REDIRECT },
    });
    expect([status, body]).toEqual([
      200,
      {
        ...{ access_token: expect.stringMatching(/^dal-/), refresh_token: expect.stringMatching(/^dal-/) },
        ...{ account_id: alma.login, organization_id: shop.id, expires_in: 28_800, token_type: 'Bearer' },
        scope: 'agents_read,reports_read',
      },
    ]);
    const authorization = `Bearer ${body.access_token}`;
    const agents = await test.app.inject({ url: '/agents', headers: { authorization } });
    expect(agents.statusCode).toBe(200);
    const told = await test.app.inject({ url: '/v2/info', headers: { authorization } });
    expect(told.json()).toMatchObject({ client_id, account_id: alma.login, expires_in: 28_800 });
    expect((await test.app.inject(`/v2/info?code=${body.access_token}`)).statusCode).toBe(200);
    test.clock.advance(28_800_000);
    expect(await info(body.access_token)).toBe(401);
    expect((await test.app.inject({ url: '/agents', headers: { authorization } })).statusCode).toBe(401);
  });

  it('signs in on the page itself, without telling a wrong login from a wrong password', async () => {
    const { client_id } = await register();
    const link = linkTo(client_id);
    const wrong = await Promise.all(
      [alma.login, 'nobody@shop.test'].map((login) =>
        post(link, '', { decision: 'sign_in', login, password: 'wrong' }),
      ),
    );
    expect(wrong.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
    expect(wrong[0]!.body).toBe(wrong[1]!.body);
    const right = await post(link, '', { decision: 'sign_in', login: alma.login, password: 'a long password' });
    expect([right.statusCode, right.headers.location]).toEqual([303, link]);
    const page = await test.app.inject({ url: link, headers: { cookie: cookieOf(right.headers) } });
    expect(page.body).toContain('Let Reporter in?');
  });

  it('takes no for an answer, and lets go of the session', async () => {
    const { client_id } = await register();
    const back = await consent(linkTo(client_id), alma, 'deny');
    expect(back.searchParams.get('oauth_exception')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('xyz');
    expect(back.searchParams.get('code')).toBeNull();
  });

  it('believes no answer that another page sent, nor one to another question', async () => {
    const { client_id } = await register();
    const link = linkTo(client_id);
    const { cookie } = await signIn(alma);
    const ticket = ticketOf((await test.app.inject({ url: link, headers: { cookie } })).body);
    const form = { ticket, decision: 'allow' };
    const type = { 'content-type': OWN_PAGE['content-type'] };
    const elsewhere: Record<string, string>[] = [
      {},
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ];
    for (const headers of elsewhere)
      expect((await post(link, cookie, form, { ...type, ...headers })).statusCode).toBe(400);
    expect((await post(link, cookie, { decision: 'allow' })).statusCode).toBe(400);
    expect((await post(linkTo(client_id, { scope: 'reports_read' }), cookie, form)).statusCode).toBe(400);
    const other = await signIn(alma);
    expect((await post(link, other.cookie, form)).statusCode).toBe(400);
    expect((await post(link, '', form)).statusCode).toBe(400);
    expect((await post(link, cookie, form)).statusCode).toBe(303);
  });

  it('knows the agents of its own organization only', async () => {
    const { client_id } = await register();
    const other = await buildOrganization(test);
    const { cookie } = await signIn(other.owner);
    const page = await test.app.inject({ url: linkTo(client_id), headers: { cookie } });
    expect(page.body).toContain('type="password"');
  });
});

describe('redirect URIs', () => {
  it.each(['https://app.test/callback/deeper', 'https://app.test:443/callback'])('goes to %s', async (redirect_uri) => {
    const { client_id } = await register();
    expect((await test.app.inject(linkTo(client_id, { redirect_uri }))).statusCode).toBe(200);
  });

  it.each([
    ...[
      'https://app.test/callbackevil',
      'https://app.test/',
      'http://app.test/callback',
      'https://app.test:444/callback',
    ],
    ...['https://evil.test/callback', 'https://app.test.evil.test/callback', 'https://app.test@evil.test/callback'],
    ...[
      'https://app.test/callback/../../evil',
      'https://app.test/callback/%2e%2e/evil',
      'https://app.test/callback?x=1',
    ],
    ...['https://app.test/callback#x', 'https://app.test\\@evil.test/callback', 'javascript:alert(1)', ''],
  ])('goes nowhere for %s', async (redirect_uri) => {
    const { client_id } = await register();
    const answer = await test.app.inject(linkTo(client_id, { redirect_uri }));
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });

  it('tells an unknown client nothing by redirecting', async () => {
    for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000', ''])
      expect((await test.app.inject(linkTo(id))).statusCode).toBe(400);
  });

  it.each<Record<string, string>>([
    { response_type: 'token' },
    { scope: 'tickets_read' },
    { scope: 'everything' },
    { code_challenge: 'short' },
    { code_challenge: 'a'.repeat(43), code_challenge_method: 'S512' },
  ])('goes back with the fault for %o', async (more) => {
    const { client_id } = await register();
    const { statusCode, headers } = await test.app.inject(linkTo(client_id, more));
    expect(statusCode).toBe(303);
    const back = new URL(String(headers.location));
    expect(back.searchParams.get('oauth_exception')).toMatch(/^(invalid_request|access_denied)$/);
    expect(back.searchParams.get('state')).toBe('xyz');
  });

  it.each(['http://app.test/x', 'https://app.test/x?y', 'https://app.test/../x', 'app:/x', 'https://u:p@app.test/'])(
    'does not register %s',
    async (uri) => {
      const { status } = await configure(shop.owner, 'register_oauth_client', {
        ...{ name: 'x', redirect_uris: [uri], scopes: ['reports_read'], type: 'public' },
      });
      expect(status).toBe(400);
    },
  );
});

describe('codes', () => {
  const verifier = 'v'.repeat(50);
  const challenge = createHash('sha256').update(verifier).digest('base64url');

  const codeOf = async (client_id: string, more: Record<string, string> = {}) =>
    (await consent(linkTo(client_id, more))).searchParams.get('code')!;

  it.each([
    ['S256', challenge],
    ['plain', verifier],
  ])('are bound to their verifier by %s', async (code_challenge_method, code_challenge) => {
    const { client_id } = await register({ type: 'public' });
    const form = { grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT };
    const more = { code_challenge, code_challenge_method };
    const wrongs: Record<string, string>[] = [{ code_verifier: 'w'.repeat(50) }, {}, { code_verifier: 'short' }];
    for (const wrong of wrongs)
      expect(
        (await exchange({ ...form, ...wrong, code: await codeOf(client_id, more) })).status,
      ).toBeGreaterThanOrEqual(400);
    const right = { ...form, code_verifier: verifier, code: await codeOf(client_id, more) };
    expect((await exchange(right)).status).toBe(200);
  });

  it('need a challenge where there is no secret', async () => {
    const { client_id } = await register({ type: 'public' });
    const { headers } = await test.app.inject(linkTo(client_id));
    expect(new URL(String(headers.location)).searchParams.get('oauth_exception')).toBe('invalid_request');
  });

  it('count once: a second use ends what came of the first', async () => {
    const { client_id, client_secret } = await register();
    const code = await codeOf(client_id);
    const form = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: REDIRECT, code };
    const first = await exchange(form);
    expect(await info(first.body.access_token)).toBe(200);
    expect(await exchange(form)).toMatchObject({ status: 401, body: { oauth_exception: 'invalid_grant' } });
    expect(await info(first.body.access_token)).toBe(401);
    expect(await info(first.body.refresh_token)).toBe(401);
  });

  it('count once also when two come at the same time', async () => {
    const { client_id, client_secret } = await register();
    const form = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: REDIRECT };
    const code = await codeOf(client_id);
    const answers = await Promise.all([1, 2, 3].map(() => exchange({ ...form, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await info(answers.find(({ status }) => status === 200)!.body.access_token)).toBe(401);
  });

  it('are for the right client, address and time', async () => {
    const one = await register();
    const other = await register();
    const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT };
    const use = async (more: Record<string, string>) =>
      (await exchange({ ...form, ...one, ...more, code: await codeOf(one.client_id) })).status;
    expect(await use({ ...other })).toBe(401);
    expect(await use({ client_secret: 'wrong' })).toBe(401);
    expect(await use({ redirect_uri: `${REDIRECT}/other` })).toBe(400);
    expect((await exchange({ ...form, client_id: one.client_id, code: await codeOf(one.client_id) })).status).toBe(401);
    const late = await codeOf(one.client_id);
    test.clock.advance(5 * 60_000);
    expect((await exchange({ ...form, ...one, code: late })).status).toBe(401);
    expect((await exchange({ ...form, ...one, grant_type: 'password' })).status).toBe(400);
  });
});

describe('refresh tokens', () => {
  const refresh = (program: { clientId: string; clientSecret: string }, refresh_token: string) =>
    exchange({
      ...{
        grant_type: 'refresh_token',
        client_id: program.clientId,
        client_secret: program.clientSecret,
        refresh_token,
      },
    });

  it('rotate, and one that was stolen ends everything', async () => {
    const program = await buildProgram(test, shop, alma, ['reports_read']);
    const first = await refresh(program, program.refreshToken);
    expect(first.status).toBe(200);
    const second = await refresh(program, first.body.refresh_token);
    expect(second.status).toBe(200);
    expect(await refresh(program, first.body.refresh_token)).toMatchObject({
      status: 401,
      body: { oauth_exception: 'invalid_grant' },
    });
    for (const token of [program.accessToken, first.body.access_token, second.body.access_token])
      expect(await info(token)).toBe(401);
    expect((await refresh(program, second.body.refresh_token)).status).toBe(401);
  });

  it('are no access tokens, and belong to one client', async () => {
    const program = await buildProgram(test, shop, alma, ['agents_read']);
    const headers = { authorization: `Bearer ${program.refreshToken}` };
    expect((await test.app.inject({ url: '/agents', headers })).statusCode).toBe(401);
    const other = await buildProgram(test, shop, alma, ['agents_read']);
    expect((await refresh(other, program.refreshToken)).status).toBe(401);
    expect((await refresh({ ...program, clientSecret: 'wrong' }, program.refreshToken)).status).toBe(401);
    expect((await refresh(program, program.refreshToken)).status).toBe(200);
  });

  it('are 25 at most, like access tokens: the oldest end', async () => {
    const { client_id, client_secret } = await register();
    const tokens: string[] = [];
    for (let n = 0; n < 26; n++) {
      const code = (await consent(linkTo(client_id))).searchParams.get('code')!;
      const form = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: REDIRECT, code };
      tokens.push((await exchange(form)).body.access_token);
    }
    expect([await info(tokens[0]!), await info(tokens[1]!), await info(tokens[25]!)]).toEqual([401, 200, 200]);
  });

  it('end with their agent', async () => {
    const leaving = await buildAgent(shop);
    const program = await buildProgram(test, shop, leaving, ['agents_read']);
    await deleteAgent(agentScope(shop, shop.owner, 'owner'), { login: leaving.login });
    expect(await info(program.accessToken)).toBe(401);
    expect((await refresh(program, program.refreshToken)).status).toBe(401);
  });
});

describe('revoking', () => {
  it('ends one access token, or by the refresh token all', async () => {
    const program = await buildProgram(test, shop, alma, ['agents_read']);
    const revoke = async (token: string) =>
      (
        await test.app.inject({ method: 'DELETE', url: '/v2/token', headers: { authorization: `Bearer ${token}` } })
      ).json();
    expect(await revoke(program.accessToken)).toEqual({});
    expect([await info(program.accessToken), await info(program.refreshToken)]).toEqual([401, 200]);
    expect(await revoke(program.refreshToken)).toEqual({});
    expect(await info(program.refreshToken)).toBe(401);
    expect(await revoke(program.refreshToken)).toMatchObject({ oauth_exception: 'invalid_grant' });
  });

  it('shows agents whom they let in, and administrators everybody', async () => {
    const [one, other] = [await buildAgent(shop), await buildAgent(shop)];
    const program = await buildProgram(test, shop, one, ['agents_read']);
    const mine = await configure(one, 'list_oauth_grants', {});
    expect(mine.body).toMatchObject([
      { id: program.grantId, client_id: program.clientId, agent_id: one.login, access_tokens: 1, refresh_tokens: 1 },
    ]);
    expect((await configure(other, 'list_oauth_grants', {})).body).toEqual([]);
    expect((await configure(other, 'revoke_oauth_grant', { id: program.grantId })).status).toBe(404);
    expect((await configure(shop.owner, 'list_oauth_grants', {})).body).toContainEqual(mine.body[0]);
    expect((await configure(one, 'revoke_oauth_grant', { id: program.grantId })).status).toBe(200);
    expect(await info(program.accessToken)).toBe(401);
  });

  it('lets administrators manage clients; deleting one ends its tokens', async () => {
    const program = await buildProgram(test, shop, alma, ['agents_read']);
    expect((await configure(alma, 'list_oauth_clients', {})).status).toBe(403);
    const { body } = await configure(shop.owner, 'list_oauth_clients', {});
    const listed = body.find((one: { client_id: string }) => one.client_id === program.clientId);
    expect(listed).toMatchObject({ redirect_uris: [REDIRECT], type: 'confidential' });
    expect(JSON.stringify(listed)).not.toContain(program.clientSecret);
    const stranger = await buildOrganization(test);
    expect((await configure(stranger.owner, 'delete_oauth_client', { client_id: program.clientId })).status).toBe(404);
    expect((await configure(shop.owner, 'delete_oauth_client', { client_id: program.clientId })).status).toBe(200);
    expect(await info(program.accessToken)).toBe(401);
  });
});

describe('scopes', () => {
  it('are asked for by every operation of the operations API', async () => {
    const tenant = await buildTenant(test);
    const tokens = new Map<Scope, string>();
    const tokenWithout = async (scope: Scope): Promise<string> => {
      const rest = allScopes.filter((one) => one !== scope);
      const token =
        tokens.get(scope) ?? (await buildProgram(test, tenant.organization, tenant.agent, rest)).accessToken;
      tokens.set(scope, token);
      return token;
    };
    for (const operation of chatOpsContract.operations.filter((one) => !one.public)) {
      const { method, path, query, body } = exampleOf('chat-ops', operation, tenant);
      const authorization = `Bearer ${await tokenWithout(scopeOfPath(operation))}`;
      const answer = await test.app.inject({
        ...{ method, url: `${path}?${toQueryString(query)}`, headers: { authorization } },
        ...(body ? { payload: body } : {}),
      });
      expect([operation.name, answer.statusCode]).toEqual([operation.name, 403]);
      expect(answer.json().message).toContain(scopeOfPath(operation));
    }
  });

  it('are asked for by the agents’ API, over HTTP', async () => {
    const call = async (scopes: Scope[], action: string, payload: object) => {
      const { accessToken } = await buildProgram(test, shop, alma, scopes);
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await test.app.inject({ method: 'POST', url: `/v3.5/agent/action/${action}`, headers, payload }))
        .statusCode;
    };
    expect(await call(['archives_read'], 'list_chats', {})).toBe(200);
    expect(await call(['visitors_read'], 'list_chats', {})).toBe(403);
    expect(await call(['visitors_read'], 'list_customers', {})).toBe(200);
    expect(await call(['archives_write'], 'list_customers', {})).toBe(403);
  });

  it('never reach what would give more: keys, bots’ tokens, other programs', async () => {
    const admin = await buildAgent(shop, { permission: 'administrator' });
    const { accessToken } = await buildProgram(test, shop, admin, [...allScopes]);
    const headers = { authorization: `Bearer ${accessToken}` };
    const own = await test.app.inject({ url: `/agents/${admin.login}`, headers });
    expect([own.statusCode, own.json().api_key]).toEqual([200, undefined]);
    const reset = await test.app.inject({ method: 'POST', url: `/agents/${admin.login}/reset_api_key`, headers });
    expect(reset.statusCode).toBe(403);
    for (const [action, payload] of [
      ['create_bot', { name: 'Bot' }],
      ['list_oauth_clients', {}],
      ['list_oauth_grants', {}],
    ] as const) {
      const url = `/v3.5/configuration/action/${action}`;
      expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(403);
    }
    const grant = { grant_type: 'agent_token', client_id: 'x', response_type: 'token', organization_id: shop.id };
    const asked = await test.app.inject({ method: 'POST', url: '/v2/customer/token', headers, payload: grant });
    expect(asked.statusCode).toBe(401);
  });

  it('do not cross organizations', async () => {
    const other = await buildOrganization(test);
    const { accessToken } = await buildProgram(test, other, other.owner, ['agents_read']);
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await test.app.inject({ url: `/agents/${alma.login}`, headers })).statusCode).toBe(404);
  });
});

describe('POST /signin', () => {
  it('keeps the session in a cookie that no script reads, and shows the agent its API key', async () => {
    const { status, cookie, setCookie } = await signIn(alma);
    expect(status).toBe(200);
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Lax/);
    const own = await test.app.inject({ url: `/agents/${alma.login}`, headers: { cookie } });
    expect(own.json().api_key).toBe(alma.apiKey);
    const jsonp = await test.app.inject({ url: `/agents/${alma.login}?callback=steal`, headers: { cookie } });
    expect(jsonp.statusCode).toBe(403);
    expect(jsonp.body).not.toContain(alma.apiKey);
    const crossing = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await test.app.inject({ url: '/agents', headers: crossing })).statusCode).toBe(403);
    const change = { method: 'PUT', url: `/agents/${alma.login}`, payload: { job_title: 'Boss' } } as const;
    expect((await test.app.inject({ ...change, headers: { cookie } })).statusCode).toBe(403);
    const ownPage = { cookie, origin: 'http://parley.test' };
    expect((await test.app.inject({ ...change, headers: ownPage })).statusCode).toBe(200);
    expect((await test.app.inject({ method: 'DELETE', url: '/signin', headers: { cookie } })).statusCode).toBe(200);
    expect((await test.app.inject({ url: `/agents/${alma.login}`, headers: { cookie } })).statusCode).toBe(401);
  });

  it('ends after twelve hours, and refuses all wrong pairs alike', async () => {
    const { cookie } = await signIn(alma);
    test.clock.advance(12 * 3600_000);
    expect((await test.app.inject({ url: '/agents', headers: { cookie } })).statusCode).toBe(401);
    const wrong = await signIn(alma, 'wrong');
    const unknown = await signIn({ login: 'nobody@shop.test', apiKey: '', basic: '' });
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body]);
  });

  it('is slowed down by account and by address', async () => {
    await using slow = await startTestApp({ config: { rateLimits: true } });
    const login = (name: string, password: string, from: string) =>
      slow.app.inject({ method: 'POST', url: '/signin', payload: { login: name, password }, remoteAddress: from });
    const statuses = async (count: number, call: (n: number) => ReturnType<typeof login>) => {
      const seen: number[] = [];
      for (let n = 0; n < count; n++) seen.push((await call(n)).statusCode);
      return seen;
    };
    const one = await statuses(11, (n) => login('someone@shop.test', 'x', `10.0.0.${n}`));
    expect([one[9], one[10]]).toEqual([401, 429]);
    const many = await statuses(31, (n) => login(`name${n}@shop.test`, 'x', '10.9.9.9'));
    expect([many[29], many[30]]).toEqual([401, 429]);
  });
});

describe('REQUIRE_HTTPS', () => {
  it('refuses plain requests, and believes only trusted proxies about it', async () => {
    await using strict = await startTestApp({ config: { requireHttps: true, trustedProxies: ['10.1.1.1'] } });
    const ask = async (headers: Record<string, string>, remoteAddress: string, url = '/tracking.js') =>
      (await strict.app.inject({ url, headers, remoteAddress })).statusCode;
    expect(await ask({}, '10.1.1.1')).toBe(403);
    expect(await ask({ 'x-forwarded-proto': 'https' }, '10.2.2.2')).toBe(403);
    expect(await ask({ 'x-forwarded-proto': 'http' }, '10.1.1.1')).toBe(403);
    expect(await ask({ 'x-forwarded-proto': 'https' }, '10.1.1.1')).toBe(200);
    expect(await ask({}, '10.2.2.2', '/health/live')).toBe(200);
    const told = await strict.app.inject({ url: '/agents', remoteAddress: '10.2.2.2' });
    expect(told.json()).toMatchObject({ code: 403 });
  });
});
