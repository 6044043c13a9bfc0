import { describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization } from '#server/testing/builders/factories.ts';
import { signInBrowser, type TestBrowser } from '#server/testing/http/agent-browser.ts';
import { callAs } from '#server/testing/http/partner.ts';
import { createSignUpHelpers } from '#server/testing/http/sign-up.ts';

const HOUR_MS = 3600_000;
const test = useTestApp();
const { newAddress, signUp, join, mailsTo, linkTo, confirm } = createSignUpHelpers(test);

const startTrial = async () => {
  const login = newAddress();
  const { body } = await signUp(login);
  return { login, organizationId: body.organization_id as string, browser: await signInBrowser(test, { login }) };
};

const writeTo = async (browser: TestBrowser, mail: string) => {
  const { body } = await browser.call('create_ticket', { requester: { mail }, message: 'Buy now!', subject: 'Offer' });
  return browser.call('reply_to_ticket', { ticket_id: body.ticket.id, message: 'Buy now!' });
};
const addAgent = (browser: TestBrowser, password?: string) =>
  browser.post('/agents', { login: newAddress(), name: 'Alma', ...(password ? { password } : {}) });

describe('an organization whose owner has not confirmed the address', () => {
  it('sends no mail to others', async () => {
    const { login, browser } = await startTrial();
    const victim = `help-${login.slice(7, 15)}@shop.example`;
    expect((await browser.call('get_session')).body).toMatchObject({ login, email_confirmed: false });
    for (let n = 0; n < 5; n++) expect((await writeTo(browser, victim)).status).toBe(403);
    expect((await addAgent(browser)).status).toBe(403);
    const claim = { own_address: victim };
    expect((await browser.call('set_ticket_mail', claim)).status).toBe(403);
    expect(await mailsTo(victim)).toEqual([]);
    expect(await mailsTo(login)).toHaveLength(1);
  });

  it('can have only three agents', async () => {
    const { browser } = await startTrial();
    const added = [await addAgent(browser, 'a long password'), await addAgent(browser, 'a long password')];
    expect(added.map(({ status }) => status)).toEqual([200, 200]);
    expect((await addAgent(browser, 'a long password')).status).toBe(400);
  });

  it('has no limits once the link in the mail was used', async () => {
    const { login, browser } = await startTrial();
    const link = await linkTo(login);
    // Opening the link is not enough, because mail scanners open links.
    expect((await test.app.inject({ url: link })).statusCode).toBe(200);
    expect((await browser.call('get_session')).body.email_confirmed).toBe(false);
    expect((await confirm(link)).statusCode).toBe(200);
    expect((await browser.call('get_session')).body.email_confirmed).toBe(true);
    const customer = newAddress();
    expect((await writeTo(browser, customer)).status).toBe(200);
    expect(await mailsTo(customer)).toHaveLength(1);
    expect((await addAgent(browser)).status).toBe(200);
    expect((await confirm(link)).statusCode).toBe(404);
  });

  it('is the exception: what the operator creates counts as confirmed', async () => {
    const { owner } = await buildOrganization(test);
    const browser = await signInBrowser(test, owner);
    expect((await browser.call('get_session')).body.email_confirmed).toBe(true);
    expect((await writeTo(browser, newAddress())).status).toBe(200);
  });
});

describe('signing up with an address that already has an account', () => {
  it('looks the same, and only the holder of the mailbox learns of the account', async () => {
    const { login } = await startTrial();
    await confirm(await linkTo(login));
    const again = await signUp(login, 'another long password');
    expect(again).toMatchObject({ status: 201, body: { login } });
    const refused = await confirm(await linkTo(login));
    expect([refused.statusCode, refused.body.includes('already has a license')]).toEqual([409, true]);
    const partner = newAddress();
    await join(partner);
    await confirm(await linkTo(partner));
    expect((await join(partner)).status).toBe(201);
    expect((await confirm(await linkTo(partner))).statusCode).toBe(409);
  });

  it('is possible while the earlier account is unconfirmed, so that no one can block an address', async () => {
    const login = newAddress();
    await signUp(login, 'the squatter’s password');
    await linkTo(login);
    await signUp(login);
    expect((await confirm(await linkTo(login))).statusCode).toBe(200);
    const browser = await signInBrowser(test, { login });
    expect((await browser.call('get_session')).body.email_confirmed).toBe(true);
  });

  it('sends at most three mails per hour to an address', async () => {
    const login = newAddress();
    for (let n = 0; n < 6; n++) expect((await signUp(login)).status).toBe(201);
    expect(await mailsTo(login)).toHaveLength(3);
    test.clock.advance(HOUR_MS);
    await join(login);
    expect(await mailsTo(login)).toHaveLength(4);
  });
});

describe('requesting another link', () => {
  it('is possible for the signed-in agent, three times per hour', async () => {
    const { login, browser } = await startTrial();
    for (const status of [200, 200, 429])
      expect((await browser.call('request_email_confirmation')).status).toBe(status);
    expect((await confirm(await linkTo(login))).statusCode).toBe(200);
    expect((await browser.call('request_email_confirmation')).status).toBe(200);
    expect(await mailsTo(login)).toHaveLength(3);
  });

  it('is possible on a page, which does not reveal whether there is an account', async () => {
    const ask = (login: string) =>
      test.app.inject({
        method: 'POST',
        url: '/verify-email',
        headers: { origin: 'http://parley.test', 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ login }).toString(),
      });
    expect((await test.app.inject({ url: '/verify-email' })).body).toContain('name="login"');
    const login = newAddress();
    await join(login);
    const [known, unknown] = [await ask(login.toUpperCase()), await ask(newAddress())];
    expect([known.statusCode, known.body]).toEqual([200, unknown.body]);
    expect(await mailsTo(login)).toHaveLength(2);
    expect((await confirm(await linkTo(login))).statusCode).toBe(200);
    await ask(login);
    expect(await mailsTo(login)).toHaveLength(2);
  });
});

describe('a partner who joined', () => {
  it('resells only with a confirmed address and the approval of the operator', async () => {
    const login = newAddress();
    const { body } = await join(login);
    const partner = callAs(
      () => test,
      () => body.token,
    );
    const sell = async () =>
      (await partner('POST', '/resellers/licenses', { client_name: 'Client', client_email: newAddress() })).status;
    const decide = (change: object) =>
      test.app.inject({
        method: 'PATCH',
        url: `/operator/v1/partners/${body.partner_id}`,
        headers: { authorization: `Bearer ${test.operatorToken}` },
        payload: change,
      });
    expect((await partner('GET', '')).body.solution_status).toBe('none');
    expect(await sell()).toBe(403);
    await decide({ solution_status: 'approved' });
    expect(await sell()).toBe(403);
    await confirm(await linkTo(login));
    expect(await sell()).toBe(201);
    await decide({ solution_status: 'rejected' });
    expect(await sell()).toBe(403);
    await decide({ solution_status: 'approved', blocked: true });
    expect(await sell()).toBe(403);
    expect((await partner('GET', '/resellers/licenses')).body.result).toHaveLength(1);
  });
});
