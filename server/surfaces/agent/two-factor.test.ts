import { beforeAll, describe, expect, it } from 'vitest';
import { totpCode, totpStepAt } from '#server/domain/support/agents/sign-in/totp.ts';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildTwoFactorDevice } from '#server/testing/builders/two-factor.ts';
import { openBrowser, signInBrowser, type TestBrowser } from '../../testing/http/agent-browser.ts';

const password = 'a long password';
const STEP_MS = 30_000;

const test = useTestApp();
let shop: TestOrganization;
beforeAll(async () => {
  shop = await buildOrganization(test);
});

const codeNow = (secret: string): string => totpCode(secret, totpStepAt(test.clock.now()));

/** The first step of signing in, in a browser. */
const enterPassword = (browser: TestBrowser, { login }: TestAgent) => browser.post('/signin', { login, password });
const enterCode = (browser: TestBrowser, ticket: string, code: string) =>
  browser.post('/signin/code', { ticket, code });

const firstStep = async (agent: TestAgent) => {
  const browser = openBrowser(test);
  const { status, body } = await enterPassword(browser, agent);
  expect(status).toBe(202);
  return { browser, ticket: body.ticket as string };
};

const setUp = async (agent: TestAgent) => {
  const browser = await signInBrowser(test, agent);
  const { secret, uri } = (await browser.call('set_up_two_factor', { password })).body;
  return { browser, secret: secret as string, uri: uri as string };
};

describe('setting up two-factor authentication', () => {
  it('shows a secret, accepts a code, returns recovery codes and ends other sessions', async () => {
    const alma = await buildAgent(shop);
    const other = await signInBrowser(test, alma);
    const { browser, secret, uri } = await setUp(alma);
    expect(uri).toContain(`otpauth://totp/Parley:${encodeURIComponent(alma.login)}?secret=${secret}&`);
    // No code is required yet.
    await signInBrowser(test, alma);
    expect((await browser.call('confirm_two_factor', { code: '000000' })).status).toBe(400);
    const { body } = await browser.call('confirm_two_factor', { code: codeNow(secret) });
    expect(new Set(body.recovery_codes).size).toBe(10);
    expect((await browser.call('get_session')).body.two_factor).toEqual({ enabled: true, recovery_codes_left: 10 });
    expect((await other.call('get_session')).status).toBe(401);
    expect((await browser.call('set_up_two_factor', { password })).status).toBe(400);
    expect((await browser.call('confirm_two_factor', { code: codeNow(secret) })).status).toBe(400);
  });

  it('requires the password and a prior setup', async () => {
    const alma = await buildAgent(shop);
    const browser = await signInBrowser(test, alma);
    for (const operation of ['set_up_two_factor', 'renew_recovery_codes', 'turn_off_two_factor'])
      expect((await browser.call(operation, { password: 'wrong' })).status).toBe(400);
    expect((await browser.call('confirm_two_factor', { code: '123456' })).status).toBe(404);
    expect((await browser.call('renew_recovery_codes', { password })).status).toBe(404);
  });

  it('succeeds once for concurrent confirmations', async () => {
    const alma = await buildAgent(shop);
    const { browser, secret } = await setUp(alma);
    const code = codeNow(secret);
    const both = await Promise.all([1, 2].map(() => browser.call('confirm_two_factor', { code })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('stores the secret encrypted and the recovery codes hashed', async () => {
    const alma = await buildAgent(shop);
    const { browser, secret } = await setUp(alma);
    const { body } = await browser.call('confirm_two_factor', { code: codeNow(secret) });
    const tables = ['agent_two_factor', 'agent_recovery_codes'];
    const rows = await Promise.all(
      tables.map((table) =>
        test.context.database.query({ text: `/* platform */ select t::text as row from ${table} t`, values: [] }),
      ),
    );
    const stored = JSON.stringify(rows.map((found) => found.rows));
    for (const shown of [secret, ...body.recovery_codes]) {
      expect(stored).not.toContain(shown);
      expect(stored).not.toContain(Buffer.from(shown).toString('hex'));
    }
  });
});

describe('signing in with two-factor authentication', () => {
  it('requires the password and then a code, each usable once', async () => {
    const alma = await buildAgent(shop);
    const device = await buildTwoFactorDevice(shop.scope, alma.login);
    const { browser, ticket } = await firstStep(alma);
    expect(browser.cookie).toBe('');
    expect((await browser.call('get_session')).status).toBe(401);
    expect((await enterCode(browser, ticket, '000000')).status).toBe(401);
    const code = device.code();
    expect(await enterCode(browser, ticket, code)).toMatchObject({ status: 200, body: { login: alma.login } });
    expect((await browser.call('get_session')).status).toBe(200);
    const again = await firstStep(alma);
    expect((await enterCode(again.browser, again.ticket, code)).status).toBe(401);
    test.clock.advance(STEP_MS);
    expect((await enterCode(again.browser, again.ticket, device.code())).status).toBe(200);
  });

  it('accepts a code once when used concurrently', async () => {
    const alma = await buildAgent(shop);
    const device = await buildTwoFactorDevice(shop.scope, alma.login);
    const steps = [await firstStep(alma), await firstStep(alma)];
    const code = device.code();
    const both = await Promise.all(steps.map(({ browser, ticket }) => enterCode(browser, ticket, code)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('accepts a recovery code once, in any spelling', async () => {
    const alma = await buildAgent(shop);
    const { browser, secret } = await setUp(alma);
    const codes = (await browser.call('confirm_two_factor', { code: codeNow(secret) })).body.recovery_codes as string[];
    const written = codes[0]!.replace('-', ' ').toUpperCase();
    const steps = [await firstStep(alma), await firstStep(alma)];
    const both = await Promise.all(steps.map((step) => enterCode(step.browser, step.ticket, written)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await browser.call('get_session')).body.two_factor.recovery_codes_left).toBe(9);
    expect((await browser.call('renew_recovery_codes', { password })).status).toBe(400);
    const withCode = { password, code: codes[2]! };
    const renewed = (await browser.call('renew_recovery_codes', withCode)).body.recovery_codes as string[];
    const step = await firstStep(alma);
    expect((await enterCode(step.browser, step.ticket, codes[1]!)).status).toBe(401);
    expect((await enterCode(step.browser, step.ticket, renewed[0]!)).status).toBe(200);
  });

  it('expires after five minutes and rejects other passwords and forged tokens', async () => {
    const alma = await buildAgent(shop);
    const device = await buildTwoFactorDevice(shop.scope, alma.login);
    const late = await firstStep(alma);
    test.clock.advance(300_000);
    expect((await enterCode(late.browser, late.ticket, device.code())).status).toBe(401);
    const early = await firstStep(alma);
    const bea = await buildAgent(shop);
    const stranger = await buildOrganization(test);
    const [, signature] = early.ticket.split('.');
    const forge = (organizationId: string, login: string, until: unknown = Date.now() * 2) =>
      `${Buffer.from(JSON.stringify([organizationId, login, until])).toString('base64url')}.${signature}`;
    const forged = [
      ...[forge(shop.id, bea.login), forge(stranger.id, stranger.owner.login), forge(shop.id, alma.login)],
      ...[forge('nonsense', alma.login), forge(shop.id, alma.login, 'x'), early.ticket.replace('.', ''), '.', 'x.y'],
    ];
    for (const ticket of forged) expect((await enterCode(early.browser, ticket, device.code())).status).toBe(401);
    await shop.scope.update('agents').where('id', '=', alma.login).set({ passwordHash: 'other' }).execute();
    expect((await enterCode(early.browser, early.ticket, device.code())).status).toBe(401);
  });

  it('is limited after five codes across all processes', async () => {
    await using slow = await startTestApp({ config: { rateLimits: true } });
    await using beside = await startTestApp({ beside: slow, config: { rateLimits: true } });
    const otherShop = await buildOrganization(slow);
    const device = await buildTwoFactorDevice(otherShop.scope, otherShop.owner.login);
    const { body } = await openBrowser(slow).post('/signin', { login: otherShop.owner.login, password });
    const attempt = async (app: TestApp, code: string) =>
      (await openBrowser(app).post('/signin/code', { ticket: body.ticket, code })).status;
    for (let n = 0; n < 5; n++) expect(await attempt(n % 2 ? slow : beside, '000000')).toBe(401);
    expect(await attempt(slow, device.code())).toBe(429);
    expect(await attempt(beside, device.code())).toBe(429);
    slow.clock.advance(60_000);
    expect(await attempt(beside, device.code())).toBe(200);
  });
});

describe('turning off two-factor authentication', () => {
  it('is allowed for the agent, and for administrators if the device is lost', async () => {
    const [alma, bea] = [await buildAgent(shop), await buildAgent(shop)];
    const admin = await buildAgent(shop, { permission: 'administrator' });
    await buildTwoFactorDevice(shop.scope, alma.login);
    const [asAdmin, asBea] = [await signInBrowser(test, admin), await signInBrowser(test, bea)];
    const lost = { password, agent_id: alma.login };
    expect((await asBea.call('turn_off_two_factor', lost)).status).toBe(403);
    expect((await asAdmin.call('turn_off_two_factor', { ...lost, password: 'wrong' })).status).toBe(400);
    expect((await asAdmin.call('turn_off_two_factor', lost)).status).toBe(200);
    const browser = await signInBrowser(test, alma);
    const { secret } = (await browser.call('set_up_two_factor', { password })).body;
    await browser.call('confirm_two_factor', { code: codeNow(secret) });
    for (const code of [undefined, '000000', codeNow(secret)])
      expect((await browser.call('turn_off_two_factor', { password, code })).status).toBe(400);
    test.clock.advance(STEP_MS);
    expect((await browser.call('turn_off_two_factor', { password, code: codeNow(secret) })).status).toBe(200);
    await signInBrowser(test, alma);
  });

  it('requires a code of administrators who use two-factor authentication themselves', async () => {
    const alma = await buildAgent(shop);
    const admin = await buildAgent(shop, { permission: 'administrator' });
    const browser = await signInBrowser(test, admin);
    await buildTwoFactorDevice(shop.scope, alma.login);
    const device = await buildTwoFactorDevice(shop.scope, admin.login);
    const lost = { password, agent_id: alma.login };
    expect((await browser.call('turn_off_two_factor', lost)).status).toBe(400);
    expect((await browser.call('turn_off_two_factor', { ...lost, code: device.code() })).status).toBe(200);
  });

  it('is allowed for the owner’s account only by the owner, and not across organizations', async () => {
    const otherShop = await buildOrganization(test);
    const admin = await signInBrowser(test, await buildAgent(otherShop, { permission: 'administrator' }));
    await buildTwoFactorDevice(otherShop.scope, otherShop.owner.login);
    const ofOwner = { password, agent_id: otherShop.owner.login };
    expect((await admin.call('turn_off_two_factor', ofOwner)).status).toBe(403);
    const stranger = await signInBrowser(test, shop.owner);
    expect((await stranger.call('turn_off_two_factor', ofOwner)).status).toBe(404);
    expect((await enterPassword(openBrowser(test), otherShop.owner)).status).toBe(202);
  });
});
