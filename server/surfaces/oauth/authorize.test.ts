import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildTwoFactorDevice } from '#server/testing/builders/two-factor.ts';
import { cookieOf, createOauthHelpers, linkTo, OWN_PAGE, REDIRECT, ticketOf } from '../../testing/http/oauth.ts';

const test = useTestApp();
let shop: TestOrganization;
let alma: TestAgent;
let oauth: ReturnType<typeof createOauthHelpers>;
beforeAll(async () => {
  shop = await buildOrganization(test);
  alma = await buildAgent(shop);
  oauth = createOauthHelpers(test, shop, alma);
});

describe('the authorization flow', () => {
  it('consent returns a code that is exchanged for tokens', async () => {
    const { client_id, client_secret } = await oauth.register();
    const link = linkTo(client_id);
    const stranger = await test.app.inject(link);
    expect(stranger.statusCode).toBe(200);
    expect(stranger.body).toContain('type="password"');
    const { cookie } = await oauth.signIn(alma);
    const page = await test.app.inject({ url: link, headers: { cookie } });
    expect(page.body).toContain('Authorize Reporter?');
    expect(page.body).toContain('<li>Read reports</li>');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://app.test");
    expect(page.headers['x-frame-options']).toBe('DENY');
    const back = await oauth.consent(link);
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('xyz');
    const code = back.searchParams.get('code')!;
    const { status, body } = await oauth.exchange({
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
    const info = await test.app.inject({ url: '/v2/info', headers: { authorization } });
    expect(info.json()).toMatchObject({ client_id, account_id: alma.login, expires_in: 28_800 });
    expect((await test.app.inject(`/v2/info?code=${body.access_token}`)).statusCode).toBe(200);
    test.clock.advance(28_800_000);
    expect(await oauth.info(body.access_token)).toBe(401);
    expect((await test.app.inject({ url: '/agents', headers: { authorization } })).statusCode).toBe(401);
  });

  it('the consent page asks for the two-factor code first', async () => {
    const guarded = await buildAgent(shop);
    const device = await buildTwoFactorDevice(shop.scope, guarded.login);
    const { client_id } = await oauth.register();
    const link = linkTo(client_id);
    const form = { decision: 'sign_in', login: guarded.login, password: 'a long password' };
    const first = await oauth.post(link, '', form);
    expect([first.statusCode, first.headers['set-cookie']]).toEqual([200, undefined]);
    expect(first.body).toContain('autocomplete="one-time-code"');
    const ticket = ticketOf(first.body);
    const wrong = await oauth.post(link, '', { decision: 'code', ticket, code: '000000' });
    expect([wrong.statusCode, wrong.headers['set-cookie'], ticketOf(wrong.body)]).toEqual([401, undefined, ticket]);
    const forged = await oauth.post(link, '', { decision: 'code', ticket: 'x.y', code: device.code() });
    expect(forged.statusCode).toBe(401);
    expect(forged.body).toContain('type="password"');
    const right = await oauth.post(link, '', { decision: 'code', ticket, code: device.code() });
    expect([right.statusCode, right.headers.location]).toEqual([303, link]);
    const page = await test.app.inject({ url: link, headers: { cookie: cookieOf(right.headers) } });
    expect(page.body).toContain('Authorize Reporter?');
  });

  it('the consent page signs in with the same error for a wrong login and a wrong password', async () => {
    const { client_id } = await oauth.register();
    const link = linkTo(client_id);
    const wrong = await Promise.all(
      [alma.login, 'nobody@shop.test'].map(async (login) => {
        const { statusCode, body } = await oauth.post(link, '', { decision: 'sign_in', login, password: 'wrong' });
        expect(body).toContain(`value="${login}"`);
        return { statusCode, page: body.replace(login, '') };
      }),
    );
    expect(wrong.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
    expect(wrong[0]!.page).toBe(wrong[1]!.page);
    const right = await oauth.post(link, '', { decision: 'sign_in', login: alma.login, password: 'a long password' });
    expect([right.statusCode, right.headers.location]).toEqual([303, link]);
    const page = await test.app.inject({ url: link, headers: { cookie: cookieOf(right.headers) } });
    expect(page.body).toContain('Authorize Reporter?');
  });

  it('the consent page allows signing in as another agent', async () => {
    const { client_id } = await oauth.register();
    const link = linkTo(client_id);
    const { cookie } = await oauth.signIn(alma);
    const ticket = ticketOf((await test.app.inject({ url: link, headers: { cookie } })).body);
    const answer = await oauth.post(link, cookie, { ticket, decision: 'sign_out' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, link]);
    expect(cookieOf(answer.headers)).toBe('parley_session=');
    const page = await test.app.inject({ url: link, headers: { cookie } });
    expect(page.body).toContain('type="password"');
    expect((await test.app.inject({ url: '/agents', headers: { cookie } })).statusCode).toBe(401);
  });

  it('refusing consent redirects with an error', async () => {
    const { client_id } = await oauth.register();
    const back = await oauth.consent(linkTo(client_id), alma, 'deny');
    expect(back.searchParams.get('oauth_exception')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('xyz');
    expect(back.searchParams.get('code')).toBeNull();
  });

  it('the consent page rejects forged and stale answers', async () => {
    const { client_id } = await oauth.register();
    const link = linkTo(client_id);
    const { cookie } = await oauth.signIn(alma);
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
      expect((await oauth.post(link, cookie, form, { ...type, ...headers })).statusCode).toBe(400);
    expect((await oauth.post(link, cookie, { decision: 'allow' })).statusCode).toBe(400);
    expect((await oauth.post(linkTo(client_id, { scope: 'reports_read' }), cookie, form)).statusCode).toBe(400);
    const other = await oauth.signIn(alma);
    expect((await oauth.post(link, other.cookie, form)).statusCode).toBe(400);
    expect((await oauth.post(link, '', form)).statusCode).toBe(400);
    expect((await oauth.post(link, cookie, form)).statusCode).toBe(303);
  });

  it('the consent page asks agents of other organizations to sign in', async () => {
    const { client_id } = await oauth.register();
    const other = await buildOrganization(test);
    const { cookie } = await oauth.signIn(other.owner);
    const page = await test.app.inject({ url: linkTo(client_id), headers: { cookie } });
    expect(page.body).toContain('type="password"');
  });
});

describe('redirect URIs', () => {
  it.each(['https://app.test/callback/deeper', 'https://app.test:443/callback'])(
    '%s is accepted',
    async (redirect_uri) => {
      const { client_id } = await oauth.register();
      expect((await test.app.inject(linkTo(client_id, { redirect_uri }))).statusCode).toBe(200);
    },
  );

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
  ])('%s is rejected without a redirect', async (redirect_uri) => {
    const { client_id } = await oauth.register();
    const answer = await test.app.inject(linkTo(client_id, { redirect_uri }));
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  });

  it('must be exactly the registered one for a client without a secret', async () => {
    const { client_id } = await oauth.register({ type: 'public' });
    const statusOf = async (redirect_uri: string) => {
      const more = { redirect_uri, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
      return (await test.app.inject(linkTo(client_id, more))).statusCode;
    };
    expect(await statusOf(REDIRECT)).toBe(200);
    for (const uri of [`${REDIRECT}/deeper`, `${REDIRECT}/`]) expect(await statusOf(uri)).toBe(400);
  });

  it('unknown clients are rejected without a redirect', async () => {
    for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000', ''])
      expect((await test.app.inject(linkTo(id))).statusCode).toBe(400);
  });

  it.each<Record<string, string>>([
    { response_type: 'token' },
    { scope: 'tickets_read' },
    { scope: 'everything' },
    { code_challenge: 'short' },
    { code_challenge: 'a'.repeat(43), code_challenge_method: 'S512' },
  ])('the parameters %o redirect back with an error', async (more) => {
    const { client_id } = await oauth.register();
    const { statusCode, headers } = await test.app.inject(linkTo(client_id, more));
    expect(statusCode).toBe(303);
    const back = new URL(String(headers.location));
    expect(back.searchParams.get('oauth_exception')).toMatch(/^(invalid_request|access_denied)$/);
    expect(back.searchParams.get('state')).toBe('xyz');
  });

  it.each(['http://app.test/x', 'https://app.test/x?y', 'https://app.test/../x', 'app:/x', 'https://u:p@app.test/'])(
    '%s cannot be registered',
    async (uri) => {
      const { status } = await oauth.configure(shop.owner, 'register_oauth_client', {
        ...{ name: 'x', redirect_uris: [uri], scopes: ['reports_read'], type: 'public' },
      });
      expect(status).toBe(400);
    },
  );
});
