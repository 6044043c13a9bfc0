import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { openBrowser, signInBrowser } from '../../testing/http/agent-browser.ts';

const PASSWORD = 'a long password';
const CONFIGURATION = '/v3.5/configuration/action/list_webhooks';

const test = useTestApp();
let shop: TestOrganization;
let alma: TestAgent;
beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  shop = await buildOrganization(test);
  const group = await buildGroup(shop, 4, 'Sales');
  alma = await buildAgent(shop, { groupIds: [group] });
});

describe('get_session', () => {
  it('returns the signed-in agent, like sign_in', async () => {
    const browser = openBrowser(test);
    const { body: welcome } = await browser.post('/signin', { login: alma.login, password: PASSWORD });
    expect(welcome).toMatchObject({
      ...{ login: alma.login, permission: 'normal', groups: [{ id: 4, name: 'Sales' }], organization_id: shop.id },
      ...{ organization: { name: 'Test shop', license_id: shop.licenseNumber, status: 'trial' } },
      two_factor: { enabled: false },
    });
    const { session, ...here } = (await browser.call('get_session')).body;
    expect(here).toEqual(welcome);
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * 3600_000);
  });

  it('returns no session with an API key, and rejects OAuth tokens', async () => {
    const headers = { authorization: alma.basic };
    const url = '/v3.5/agent/action/get_session';
    const answer = await test.app.inject({ method: 'POST', url, headers, payload: {} });
    expect(answer.json().login).toBe(alma.login);
    expect(answer.json().session).toBeUndefined();
    expect((await test.app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(401);
  });

  it('is rejected for pages of other sites, like everything with the cookie', async () => {
    const { cookie } = await signInBrowser(test, shop.owner);
    const call = (url: string, headers: Record<string, string>) =>
      test.app.inject({ method: 'POST', url, headers: { cookie, ...headers }, payload: {} });
    for (const url of ['/v3.5/agent/action/get_session', CONFIGURATION]) {
      expect((await call(url, { origin: 'http://parley.test' })).statusCode).toBe(200);
      expect((await call(url, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
      expect((await call(url, { origin: 'http://other.name', host: 'other.name' })).statusCode).toBe(200);
      const elsewhere: Record<string, string>[] = [
        { origin: 'https://evil.test' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'http://parley.test' },
        {},
      ];
      for (const from of elsewhere) expect((await call(url, from)).statusCode).toBe(401);
    }
  });
});

describe('sessions of an agent', () => {
  it('are listed with their location and last use', async () => {
    const bea = await buildAgent(shop);
    const first = await signInBrowser(test, bea, 'Mozilla/5.0 Firefox/140.0');
    test.clock.advance(3_600_000);
    const second = await signInBrowser(test, bea);
    test.clock.advance(120_000);
    const { body } = await first.call('list_sessions');
    expect(body).toMatchObject([
      { current: false, browser: 'Chrome 142', ip: '127.0.0.1' },
      { current: true, browser: 'Firefox 140', ip: '127.0.0.1' },
    ]);
    expect(body[0].last_used_at).toBe(body[0].created_at);
    expect(Date.parse(body[1].last_used_at) - Date.parse(body[1].created_at)).toBe(3_720_000);
    test.clock.advance(12 * 3600_000 - 120_000);
    expect((await first.call('list_sessions')).status).toBe(401);
    expect((await second.call('list_sessions')).status).toBe(401);
  });

  it('can be ended one by one, or all except the current one', async () => {
    const bea = await buildAgent(shop);
    const [one, two, three] = [
      await signInBrowser(test, bea),
      await signInBrowser(test, bea),
      await signInBrowser(test, bea),
    ];
    const { id } = (await two.call('get_session')).body.session;
    expect((await one.call('revoke_session', { id })).status).toBe(200);
    expect((await two.call('get_session')).status).toBe(401);
    expect((await one.call('revoke_session', { id })).status).toBe(404);
    expect(await one.call('revoke_other_sessions')).toMatchObject({ status: 200, body: { revoked: 1 } });
    expect((await three.call('get_session')).status).toBe(401);
    expect((await one.call('get_session')).status).toBe(200);
  });

  it('of other agents cannot be ended', async () => {
    const [bea, stranger] = [await buildAgent(shop), await buildOrganization(test)];
    const browser = await signInBrowser(test, bea);
    const { id } = (await browser.call('get_session')).body.session;
    for (const other of [alma, shop.owner, stranger.owner]) {
      const others = await signInBrowser(test, other);
      expect((await others.call('revoke_session', { id })).status).toBe(404);
      await others.call('revoke_other_sessions');
    }
    expect((await browser.call('get_session')).status).toBe(200);
  });

  it('end when another agent signs in with the same browser', async () => {
    const [bea, cleo] = [await buildAgent(shop), await buildAgent(shop)];
    const browser = await signInBrowser(test, bea);
    const before = openBrowser(test);
    before.cookie = browser.cookie;
    const signIn = (login: string) => browser.post('/signin', { login, password: 'a long password' });
    expect((await signIn(bea.login)).status).toBe(200);
    expect((await before.call('get_session')).status).toBe(200);
    before.cookie = browser.cookie;
    expect((await signIn(cleo.login)).status).toBe(200);
    expect((await before.call('get_session')).status).toBe(401);
    expect((await browser.call('get_session')).body.login).toBe(cleo.login);
  });

  it('end once if two browsers end the same one concurrently', async () => {
    const bea = await buildAgent(shop);
    const [one, two] = [await signInBrowser(test, bea), await signInBrowser(test, bea)];
    const { id } = (await (await signInBrowser(test, bea)).call('get_session')).body.session;
    const statuses = await Promise.all([one, two].map((from) => from.call('revoke_session', { id })));
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('a socket with the cookie', () => {
  it('is authenticated without a key and closes with its session', async () => {
    const bea = await buildAgent(shop);
    const [browser, other] = [await signInBrowser(test, bea), await signInBrowser(test, bea)];
    const socket = await browser.openSocket();
    expect(await socket.request('login', { reconnect: true })).toMatchObject({
      success: true,
      payload: { my_profile: { id: bea.login } },
    });
    expect(await socket.request('get_session')).toMatchObject({ payload: { login: bea.login } });
    const { id } = (await browser.call('get_session')).body.session;
    await other.call('revoke_session', { id });
    expect(await socket.nextPush()).toMatchObject({ payload: { reason: 'access_token_revoked' } });
    expect(await socket.closed).toBe(1008);
  });

  it('is not authenticated if another site opened it or the session is missing', async () => {
    const browser = await signInBrowser(test, alma);
    for (const headers of [{ origin: 'https://evil.test' }, {}]) {
      const socket = await browser.openSocket(headers as Record<string, string>);
      expect(await socket.request('login', {})).toMatchObject({ payload: { error: { type: 'validation' } } });
      await socket.close();
    }
    const socket = await openBrowser(test).openSocket();
    expect(await socket.request('login', {})).toMatchObject({ payload: { error: { type: 'validation' } } });
    await socket.close();
  });
});
