import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { createOauthHelpers } from '../../testing/http/oauth.ts';

const test = useTestApp();
let shop: TestOrganization;
let alma: TestAgent;
let oauth: ReturnType<typeof createOauthHelpers>;
beforeAll(async () => {
  shop = await buildOrganization(test);
  alma = await buildAgent(shop);
  oauth = createOauthHelpers(test, shop, alma);
});

describe('POST /signin', () => {
  it('sign-in sets an HTTP-only cookie that does not show the API key', async () => {
    const { status, cookie, setCookie } = await oauth.signIn(alma);
    expect(status).toBe(200);
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Lax/);
    const own = await test.app.inject({ url: `/agents/${alma.login}`, headers: { cookie } });
    expect([own.statusCode, own.json().login, own.json().api_key]).toEqual([200, alma.login, undefined]);
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

  it('a session ends after twelve hours, and all wrong credentials get the same error', async () => {
    const { cookie } = await oauth.signIn(alma);
    test.clock.advance(12 * 3600_000);
    expect((await test.app.inject({ url: '/agents', headers: { cookie } })).statusCode).toBe(401);
    const wrong = await oauth.signIn(alma, 'wrong');
    const unknown = await oauth.signIn({ login: 'nobody@shop.test' });
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body]);
  });

  it('sign-in chooses the named organization', async () => {
    const login = `busy-${randomUUID()}@shop.test`;
    const shops: TestOrganization[] = [];
    for (let n = 0; n < 7; n++) {
      const one = await buildOrganization(test);
      await buildAgent(one, { login });
      shops.push(one);
    }
    const enter = async (organization_id: string) => {
      const payload = { login, password: 'a long password', organization_id };
      const answer = await test.app.inject({ method: 'POST', url: '/signin', payload });
      return [answer.statusCode, answer.json().organization_id];
    };
    for (const { id } of shops) expect(await enter(id)).toEqual([200, id]);
    expect(await enter(shop.id)).toEqual([401, undefined]);
    expect(await enter('nonsense')).toEqual([401, undefined]);
  });

  it('offers the choice of organizations in which the password fits, confirmed ones first', async () => {
    const login = `busy-${randomUUID()}@shop.test`;
    const [one, two, three] = [
      await buildOrganization(test),
      await buildOrganization(test),
      await buildOrganization(test),
    ];
    await buildAgent(one, { login });
    await buildAgent(two, { login });
    await buildAgent(three, { login, password: 'another long password' });
    await two.scope.update('agents').where('id', '=', login).set({ addressConfirmedAt: test.clock.now() }).execute();
    const enter = async (body: object) => {
      const payload = { login, password: 'a long password', ...body };
      const response = await test.app.inject({ method: 'POST', url: '/signin', payload });
      return { status: response.statusCode, body: response.json(), headers: response.headers };
    };
    const choice = await enter({});
    expect(choice).toMatchObject({
      status: 202,
      body: { organization_required: true, organizations: [{ id: two.id, name: 'Test shop' }, { id: one.id }] },
    });
    expect(choice.headers).not.toHaveProperty('set-cookie');
    expect(choice.body.organizations).toHaveLength(2);
    expect(await enter({ organization_id: one.id })).toMatchObject({ status: 200, body: { organization_id: one.id } });
    expect(await enter({ password: 'another long password' })).toMatchObject({
      ...{ status: 200, body: { organization_id: three.id } },
    });
  });

  it('accounts that others create with the same login do not keep the owner from signing in', async () => {
    const victim = await buildOrganization(test);
    for (let n = 0; n < 12; n++)
      await buildAgent(await buildOrganization(test), {
        login: victim.owner.login,
        password: 'the squatter’s password',
      });
    const late = await buildOrganization(test);
    expect(await oauth.signIn(victim.owner)).toMatchObject({ status: 200 });
    expect((await oauth.signIn(late.owner)).status).toBe(200);
  });

  it('sign-in attempts are limited by login and network, and by network', async () => {
    await using slow = await startTestApp({ config: { rateLimits: true } });
    const login = (name: string, password: string, from: string, cookie = '') =>
      slow.app.inject({
        ...{ method: 'POST', url: '/signin', payload: { login: name, password }, remoteAddress: from },
        headers: { cookie },
      });
    const statuses = async (count: number, call: (n: number) => ReturnType<typeof login>) => {
      const seen: number[] = [];
      for (let n = 0; n < count; n++) seen.push((await call(n)).statusCode);
      return seen;
    };
    const { owner } = await buildOrganization(slow);
    const entered = await login(owner.login, 'a long password', '192.0.2.7');
    const cookies = entered.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const one = await statuses(11, () => login(owner.login, 'x', '10.0.0.1'));
    expect([one[9], one[10]]).toEqual([401, 429]);
    // Another network is not affected, until a hundred attempts failed from many networks.
    expect((await login(owner.login, 'a long password', '10.0.0.2')).statusCode).toBe(200);
    const botnet = await statuses(91, (n) => login(owner.login, 'x', `10.0.1.${n}`));
    expect(botnet.at(-1)).toBe(429);
    expect((await login(owner.login, 'a long password', '192.0.2.7')).statusCode).toBe(429);
    // A browser in which the owner has signed in before is never locked out by others.
    expect((await login(owner.login, 'a long password', '10.0.0.1', cookies)).statusCode).toBe(200);
    const device = await statuses(11, () => login(owner.login, 'x', '192.0.2.7', cookies));
    expect(device.at(-1)).toBe(429);
    const forged = cookies.replace(/parley_device=[^.]+/, `parley_device=${randomUUID()}`);
    expect((await login(owner.login, 'a long password', '192.0.2.7', forged)).statusCode).toBe(429);
    const many = await statuses(31, (n) => login(`name${n}@shop.test`, 'x', '10.9.9.9'));
    expect([many[29], many[30]]).toEqual([401, 429]);
  });

  it('sign-in attempts are limited also with RATE_LIMITS=off', async () => {
    await using open = await startTestApp({ config: { rateLimits: false, signInLimits: true } });
    const payload = { login: 'someone@shop.test', password: 'x' };
    const attempt = async () => (await open.app.inject({ method: 'POST', url: '/signin', payload })).statusCode;
    for (let n = 0; n < 10; n++) expect(await attempt()).toBe(401);
    expect(await attempt()).toBe(429);
  });

  it('failed sign-ins are logged without passwords', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    await using logged = await startTestApp({ log });
    const { owner } = await buildOrganization(logged);
    const attempt = (login: string, password: string) =>
      logged.app.inject({ method: 'POST', url: '/signin', payload: { login, password }, remoteAddress: '192.0.2.9' });
    await attempt(owner.login, 'my secret passphrase');
    await attempt('my secret passphrase', 'x');
    await attempt(owner.login, 'a long password');
    const failed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'sign-in failed');
    expect(failed).toMatchObject([
      { login: owner.login, ip: '192.0.2.9', reason: 'authentication' },
      { ip: '192.0.2.9', reason: 'authentication' },
    ]);
    expect(lines.join()).not.toContain('my secret passphrase');
  });

  it('all processes share the limit of sign-in attempts', async () => {
    await using one = await startTestApp({ config: { rateLimits: true } });
    await using other = await startTestApp({ beside: one, config: { rateLimits: true } });
    const payload = { login: 'someone@shop.test', password: 'x' };
    const attempt = async ({ app }: TestApp) => app.inject({ method: 'POST', url: '/signin', payload });
    for (let n = 0; n < 10; n++) expect((await attempt(n % 2 ? one : other)).statusCode).toBe(401);
    const refused = await attempt(one);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30']);
    expect((await attempt(other)).statusCode).toBe(429);
    one.clock.advance(29_999);
    expect((await attempt(one)).statusCode).toBe(429);
    one.clock.advance(1);
    expect((await attempt(one)).statusCode).toBe(401);
    expect((await attempt(other)).statusCode).toBe(429);
    // A clock that is set back does not lock agents out for long.
    one.clock.advance(-3_600_000);
    for (const status of [429, 429, 429, 401]) {
      expect((await attempt(other)).statusCode).toBe(status);
      one.clock.advance(30_000);
    }
    one.clock.advance(1_000_000);
    await one.context.background.scheduler.run('remove-expired-tokens');
    expect(await one.context.database.kysely.selectFrom('signInAttempts').select('id').execute()).toEqual([]);
  });
});
