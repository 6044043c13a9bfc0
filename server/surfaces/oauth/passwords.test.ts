import { beforeAll, describe, expect, it } from 'vitest';
import { createSignInLink } from '#server/domain/accounts/agents/email-tokens.ts';
import { retireAgent } from '#server/domain/support/agents/profile/retire-agent.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildLink } from '#server/testing/builders/links.ts';
import { buildTwoFactorDevice } from '#server/testing/builders/two-factor.ts';
import { createOauthHelpers } from '../../testing/http/oauth.ts';

const HOUR_MS = 3600_000;
const CHOSEN = 'quite another password';

const test = useTestApp();
let shop: TestOrganization;
let alma: TestAgent;
beforeAll(async () => {
  shop = await buildOrganization(test);
  alma = await buildAgent(shop);
});

const post = async (path: string, payload: object, headers: Record<string, string> = {}) => {
  const response = await test.app.inject({ method: 'POST', url: path, payload, headers });
  return { status: response.statusCode, text: response.body, cookie: response.headers['set-cookie'] };
};
const forget = (login: string) => post('/signin/forgotten', { login });
const reset = (token: string, password = CHOSEN) => post('/signin/reset', { token, password });
const mailsTo = async (login: string) => {
  await test.runDueJobs();
  return (await test.context.ports.outbox!.list()).map(({ mail }) => mail).filter(({ to }) => to.address === login);
};
const tokenOf = (text: string): string =>
  /http:\/\/parley\.test\/console\/reset-password\?token=([\w-]+)/.exec(text)![1]!;
const signInWith = async ({ login }: TestAgent, password: string) =>
  (await post('/signin', { login, password })).status;

describe('a forgotten password', () => {
  it('a reset link works once and signs out all browsers', async () => {
    const { cookie } = await createOauthHelpers(test, shop, alma).signIn(alma);
    await forget(` ${alma.login.toUpperCase()} `);
    const [mail] = await mailsTo(alma.login);
    const token = tokenOf(mail!.text);
    expect((await reset(token, 'short')).status).toBe(400);
    const both = await Promise.all([reset(token), reset(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await test.app.inject({ url: '/agents', headers: { cookie } })).statusCode).toBe(401);
    expect([await signInWith(alma, 'a long password'), await signInWith(alma, CHOSEN)]).toEqual([401, 200]);
    expect(both.every((answer) => answer.cookie === undefined)).toBe(true);
  });

  it('a reset replaces the API key only if requested', async () => {
    const agent = await buildAgent(shop);
    const hasAccess = async () =>
      (await test.app.inject({ url: '/agents', headers: { authorization: agent.basic } })).statusCode === 200;
    const resetWith = async (fields: object) => {
      await forget(agent.login);
      const [newest] = await mailsTo(agent.login);
      const token = tokenOf(newest!.text);
      expect((await post('/signin/reset', { token, password: CHOSEN, ...fields })).status).toBe(200);
    };
    await resetWith({});
    expect(await hasAccess()).toBe(true);
    await resetWith({ reset_api_key: true });
    expect(await hasAccess()).toBe(false);
  });

  it('a reset request does not reveal whether the account exists', async () => {
    const existing = await forget(shop.owner.login);
    const unknown = await forget('nobody@shop.test');
    expect([existing.status, existing.text]).toEqual([unknown.status, unknown.text]);
    expect(await mailsTo('nobody@shop.test')).toEqual([]);
  });

  it('a reset email has a link for each account of the address', async () => {
    const elsewhere = await buildOrganization(test);
    const here = await buildAgent(shop);
    await buildAgent(elsewhere, { login: here.login, password: 'of another place' });
    await forget(here.login);
    const mails = await mailsTo(here.login);
    const ofShop = mails.find(({ text }) => text.includes(shop.id))!;
    expect([mails.length, mails.some(({ text }) => text.includes(elsewhere.id))]).toEqual([2, true]);
    expect(ofShop.text).not.toContain('Test shop');
    expect((await reset(tokenOf(ofShop.text))).status).toBe(200);
    expect(await signInWith(here, 'of another place')).toBe(200);
  });

  it('reset links expire after an hour, after another was used, and with the agent', async () => {
    const bea = await buildAgent(shop);
    const late = await buildLink(shop.scope, bea.login, 'reset');
    test.clock.advance(HOUR_MS);
    expect((await reset(late)).status).toBe(404);
    const [one, other] = [
      await buildLink(shop.scope, bea.login, 'reset'),
      await buildLink(shop.scope, bea.login, 'reset'),
    ];
    expect((await reset(one)).status).toBe(200);
    expect((await reset(other)).status).toBe(404);
    const last = await buildLink(shop.scope, bea.login, 'reset');
    await shop.scope.transaction((tx) => retireAgent(tx, bea.login));
    expect((await reset(last)).status).toBe(404);
    // They do not work again when the login is reused.
    await shop.scope.update('agents').where('id', '=', bea.login).set({ deletedAt: null }).execute();
    expect((await reset(last)).status).toBe(404);
    const entry = await buildLink(shop.scope, alma.login, 'sign_in');
    for (const token of ['nonsense', entry]) expect((await reset(token)).status).toBe(404);
  });

  it('a sign-in link is revoked when the password changes', async () => {
    const bea = await buildAgent(shop);
    const links = [await buildLink(shop.scope, bea.login, 'reset'), await buildLink(shop.scope, bea.login, 'sign_in')];
    const { cookie } = await createOauthHelpers(test, shop, alma).signIn(bea);
    const payload = { password: CHOSEN, current_password: 'a long password' };
    const headers = { cookie, origin: 'http://parley.test' };
    const changed = await test.app.inject({ method: 'PUT', url: `/agents/${bea.login}`, headers, payload });
    expect(changed.statusCode).toBe(200);
    expect((await reset(links[0]!)).status).toBe(404);
    expect((await post('/signin/link', { token: links[1]! })).status).toBe(404);
  });

  it('a password reset keeps two-factor authentication', async () => {
    const bea = await buildAgent(shop);
    await buildTwoFactorDevice(shop.scope, bea.login);
    expect((await reset(await buildLink(shop.scope, bea.login, 'reset'))).status).toBe(200);
    expect(await signInWith(bea, CHOSEN)).toBe(202);
  });

  it('reset emails are limited to three per hour', async () => {
    const bea = await buildAgent(shop);
    for (let n = 0; n < 5; n++) expect((await forget(bea.login)).status).toBe(200);
    expect(await mailsTo(bea.login)).toHaveLength(3);
  });

  it('reset requests are limited for known and unknown logins, and rejected from other sites', async () => {
    await using slow = await startTestApp({ config: { rateLimits: true } });
    const otherShop = await buildOrganization(slow);
    const ask = async (login: string, headers: Record<string, string> = {}) => {
      const request = { method: 'POST', url: '/signin/forgotten', payload: { login }, headers } as const;
      return (await slow.app.inject(request)).statusCode;
    };
    for (const login of [otherShop.owner.login, 'nobody@shop.test']) {
      for (let n = 0; n < 5; n++) expect(await ask(login)).toBe(200);
      expect(await ask(login)).toBe(429);
    }
    expect(await ask('someone@shop.test', { origin: 'https://evil.test' })).toBe(403);
    // Reset requests for an agent do not limit its sign-in attempts.
    const payload = { login: otherShop.owner.login, password: 'a long password' };
    expect((await slow.app.inject({ method: 'POST', url: '/signin', payload })).statusCode).toBe(200);
  });
});

describe('a link that signs in', () => {
  const enter = (token: string) => post('/signin/link', { token });

  it('a sign-in link works once and within an hour', async () => {
    const token = await createSignInLink(shop.scope, shop.owner);
    const both = await Promise.all([enter(token), enter(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(String(both.find(({ status }) => status === 200)!.cookie)).toMatch(/^parley_session=.*HttpOnly/);
    const late = await createSignInLink(shop.scope, shop.owner);
    test.clock.advance(HOUR_MS);
    expect((await enter(late)).status).toBe(404);
  });

  it('a sign-in link replaces neither two-factor authentication nor a missing password nor another kind of link', async () => {
    const [guarded, invited] = [await buildAgent(shop), await buildAgent(shop)];
    await buildTwoFactorDevice(shop.scope, guarded.login);
    const answer = await enter(await buildLink(shop.scope, guarded.login, 'sign_in'));
    expect([answer.status, answer.cookie]).toEqual([202, undefined]);
    await shop.scope.update('agents').where('id', '=', invited.login).set({ passwordHash: null }).execute();
    expect((await enter(await buildLink(shop.scope, invited.login, 'sign_in'))).status).toBe(404);
    expect((await enter(await buildLink(shop.scope, alma.login, 'reset'))).status).toBe(404);
  });
});
