import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import { startReceiver } from '#server/testing/http/web-receiver.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let smtp: SMTPServer;
let mails: { to: string[]; content: string }[] = [];
let test: TestApp;
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let calls: { path: string; method: string; type: string; body: unknown }[];
let receiver: string;
let count = 0;
let email: string;

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, done) {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), content: await text(stream) });
      done();
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const smtpUrl = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  test = await startTestApp({ config: { smtpUrl, allowPrivateWebhooks: true } });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

const receive = async (request: IncomingMessage) => {
  const { url: path = '', method = '', headers } = request;
  calls.push({ path, method, type: headers['content-type'] ?? '', body: JSON.parse(await text(request)) });
};

beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  await test.runDueJobs();
  mails = [];
  calls = [];
  const port = await startReceiver((request, response) => void receive(request).then(() => response.end()));
  receiver = `http://127.0.0.1:${port}`;
  email = `ann-${++count}@mail.example`;
  await call('update_customer', { name: 'Buy now!', email });
});

const ask = (path = '/verified') => call('request_email_verification', { callback_uri: `${receiver}${path}` });
const linkOf = ({ content }: { content: string }): string =>
  /http:\/\/parley\.test(\/verify-email\/[\w-]{43})(?![\w-])/.exec(content.replaceAll('=\r\n', ''))![1]!;
/** The path of the link in the newest email. */
const mailedLink = async (): Promise<string> => {
  await test.runDueJobs();
  return linkOf(mails.at(-1)!);
};
const press = async (link: string) => {
  const response = await test.app.inject({
    method: 'POST',
    url: link,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await test.runDueJobs();
  return response;
};
const isVerified = async () => (await call('get_customer')).body.email_verified;
const comeBack = async () => {
  call = callAs(test, organization, await renewToken(organization, customer));
};

describe('request_email_verification', () => {
  it('sends an email whose button verifies the address and triggers the callback', async () => {
    expect(await ask()).toMatchObject({ status: 200, body: {} });
    expect(await isVerified()).toBe(false);
    const link = await mailedLink();
    expect(mails).toHaveLength(1);
    expect(mails[0]!.to).toEqual([email]);
    expect(mails[0]!.content).not.toContain('Buy now');
    const answer = await press(link);
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('has been confirmed')]);
    expect(await isVerified()).toBe(true);
    expect(calls).toEqual([
      {
        path: '/verified',
        method: 'POST',
        type: 'application/json',
        body: {
          email,
          customer_id: customer.id,
          organization_id: organization.id,
          verified_at: test.clock.now().toISOString().replace('Z', '000Z'),
        },
      },
    ]);
  });

  it('does nothing when the link is only opened', async () => {
    await ask();
    const link = await mailedLink();
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const page = await test.app.inject({ method, url: link });
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      if (method === 'GET') expect(page.body).toMatch(/<form method="post">.*<button/s);
    }
    await test.runDueJobs();
    expect([await isVerified(), calls]).toEqual([false, []]);
    expect((await press(link)).statusCode).toBe(200);
  });

  it('accepts a link once', async () => {
    await ask();
    const link = await mailedLink();
    const answers = await Promise.all([press(link), press(link), press(link)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404, 404]);
    expect((await press(link)).statusCode).toBe(404);
    expect(calls).toHaveLength(1);
  });

  it('discloses the secret of the link only in the email', async () => {
    await ask();
    const secret = (await mailedLink()).split('/').at(-1)!;
    const rows = await test.context.database.kysely
      .selectFrom('addressConfirmations')
      .where('ownerId', '=', organization.id)
      .selectAll()
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const wrong of [`${secret}x`, secret.slice(1), rows[0]!.id.toString('hex')])
      expect((await press(`/verify-email/${wrong}`)).statusCode).toBe(404);
  });

  it('calls back immediately if the address is already verified', async () => {
    await ask('/first');
    await press(await mailedLink());
    const verifiedAt = test.clock.now().toISOString().replace('Z', '000Z');
    test.clock.advance(MINUTE_MS);
    await ask('/second');
    await test.runDueJobs();
    expect(mails).toHaveLength(1);
    expect(calls.map(({ path }) => path)).toEqual(['/first', '/second']);
    expect(calls[1]!.body).toMatchObject({ email, verified_at: verifiedAt });
  });

  it('starts over with another address', async () => {
    await ask('/old');
    const old = await mailedLink();
    await call('update_customer', { email: `new-${email}` });
    expect((await press(old)).statusCode).toBe(404);
    await ask('/new');
    await press(await mailedLink());
    expect(mails.map(({ to }) => to)).toEqual([[email], [`new-${email}`]]);
    expect(calls.map(({ path }) => path)).toEqual(['/new']);
    await call('update_customer', { email });
    expect(await isVerified()).toBe(false);
  });

  it('calls back the ten newest requests', async () => {
    for (let at = 1; at <= 13; at++) expect((await ask(`/${at}`)).status).toBe(200);
    await press(await mailedLink());
    expect(calls.map(({ path }) => Number(path.slice(1))).toSorted((a, b) => a - b)).toEqual([
      4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
    ]);
  });

  it('does not repeat a callback', async () => {
    await ask('/one');
    const first = await mailedLink();
    await ask('/two');
    const second = await mailedLink();
    await press(second);
    expect((await press(first)).statusCode).toBe(200);
    expect(calls.map(({ path }) => path).toSorted()).toEqual(['/one', '/two']);
  });

  it('expires seven days after the last request', async () => {
    await ask();
    const link = await mailedLink();
    test.clock.advance(7 * DAY_MS);
    expect((await press(link)).statusCode).toBe(404);
    await comeBack();
    expect([await isVerified(), calls]).toEqual([false, []]);
  });

  it('keeps earlier requests valid while a later one is valid', async () => {
    await ask('/early');
    await test.runDueJobs();
    test.clock.advance(6 * DAY_MS);
    await comeBack();
    await ask('/late');
    const link = await mailedLink();
    test.clock.advance(7 * DAY_MS - 1);
    expect((await press(link)).statusCode).toBe(200);
    expect(calls.map(({ path }) => path).toSorted()).toEqual(['/early', '/late']);
  });

  it('tries a callback once', async () => {
    let tries = 0;
    const port = await startReceiver((_, response) => {
      tries++;
      response.statusCode = 500;
      response.end();
    });
    await call('request_email_verification', { callback_uri: `http://127.0.0.1:${port}/` });
    await call('request_email_verification', { callback_uri: 'http://127.0.0.1:1/' });
    await press(await mailedLink());
    await test.runDueJobs();
    expect([tries, await isVerified()]).toEqual([1, true]);
    const { rows } = await test.context.database.query<{ limit: number }>({
      text: `select distinct retry_limit as limit from pgboss.job where name = 'notify-email-verified'`,
      values: [],
    });
    expect(rows).toEqual([{ limit: 0 }]);
  });
});

describe('email rate limits', () => {
  it('apply per address, regardless of the customer', async () => {
    for (let at = 0; at < 5; at++) expect((await ask()).status).toBe(200);
    await test.runDueJobs();
    expect(mails).toHaveLength(3);
    const other = callAs(test, organization, await buildCustomer(organization));
    await other('update_customer', { email: email.toUpperCase() });
    const refused = await other('request_email_verification', { callback_uri: receiver });
    expect(refused).toMatchObject(errorResponse(429, 'too_many_requests'));
    expect(Number(refused.headers['retry-after'])).toBe(3600);
    test.clock.advance(60 * MINUTE_MS);
    expect((await other('request_email_verification', { callback_uri: receiver })).status).toBe(200);
    await test.runDueJobs();
    expect(mails).toHaveLength(4);
  });
});

describe('a callback_uri', () => {
  it.each([
    undefined,
    '',
    5,
    'x',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'http://user:word@shop.example/',
    `http://shop.example/${'x'.repeat(2048)}`,
  ])('%j is rejected', async (callback_uri) => {
    expect(await call('request_email_verification', { callback_uri })).toMatchObject(errorResponse(400, 'validation'));
  });

  it('must be public unless the operator allows private URLs', async () => {
    await using strict = await startTestApp({ beside: test });
    const there = callAs(strict, organization, customer);
    for (const callback_uri of [receiver, 'http://localhost/', 'http://169.254.169.254/', 'http://[::1]/'])
      expect(await there('request_email_verification', { callback_uri })).toMatchObject(
        errorResponse(400, 'validation'),
      );
    expect((await there('request_email_verification', { callback_uri: 'https://shop.example/' })).status).toBe(200);
  });

  it('requires a customer with an email address', async () => {
    const other = callAs(test, organization, await buildCustomer(organization));
    expect(await other('request_email_verification', { callback_uri: receiver })).toMatchObject(
      errorResponse(400, 'validation'),
    );
  });
});
