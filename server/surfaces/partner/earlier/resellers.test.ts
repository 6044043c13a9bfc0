import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildOrganization, buildPartner } from '#server/testing/factories.ts';
import { startTestApp, type TestApp } from '#server/testing/start-app.ts';
import { callAs } from '../testing-calls.ts';

const DAY_MS = 24 * 3600 * 1000;
const PASSWORD = 'a long password';

let test: TestApp;
let partner: Awaited<ReturnType<typeof buildPartner>>;
let clients = 0;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  partner = await buildPartner(test);
});
afterAll(() => test[Symbol.asyncDispose]());

const call = callAs(
  () => test,
  () => partner.token,
);

const GOOD = '4111111111111111';
const DECLINED = '4000000000000002';
const LATE = '4000000000000119';

const card = {
  key: 'any',
  first_name: 'Paula',
  last_name: 'Partner',
  month: '12',
  year: '2035',
  verification_value: '123',
  address1: 'Long Street 1',
  city: 'Warsaw',
  state: 'MZ',
  zip: '00-001',
  country: 'PL',
};
const askToken = (number: string, changes: Record<string, string> = {}) =>
  test.app.inject({ url: '/sandbox/payments/token', query: { ...card, number, ...changes } });
const tokenOf = async (number = GOOD): Promise<string> => (await askToken(number)).json().id;

const clientEmail = () => `client-${process.pid}-${clients++}@client.test`;
const create = async (fields: object = {}) =>
  (await call('POST', '/resellers/licenses', { client_name: 'Łukasz & Söhne', client_email: clientEmail(), ...fields }))
    .body;

const subscribe = async (license: string, terms: object = {}, number = GOOD) =>
  call('POST', `/resellers/licenses/${license}/subscription`, {
    token: await tokenOf(number),
    plan: 'team',
    billing_cycle: 'monthly',
    seats: 2,
    ...terms,
  });
const change = (license: string, terms: object = {}) =>
  call('PUT', `/resellers/licenses/${license}/subscription`, {
    plan: 'team',
    billing_cycle: 'monthly',
    seats: 2,
    ...terms,
  });
const close = (license: string, body: object = { password: PASSWORD }) =>
  call('DELETE', `/resellers/licenses/${license}/subscription`, body);
const read = async (license: string) => (await call('GET', `/resellers/licenses/${license}`)).body;
const invoices = async (license: string) => (await call('GET', `/resellers/licenses/${license}/invoices`)).body.result;
const runJobs = async () => {
  await test.context.jobHandlers['renew-subscriptions']({});
  await test.settle();
};
const charged = async (): Promise<number> => {
  const { rows } = await test.context.database.query<{ sum: number }>({
    text: `select coalesce(sum(s.amount_cents), 0)::bigint as sum from sandbox_charges s
      join charges c on c.id::text = s.idempotency_key and c.partner_id = $1 where s.declined is null`,
    values: [partner.id],
  });
  return rows[0]!.sum;
};

describe('a licence for a client', () => {
  it('starts as a trial, and the client is invited', async () => {
    const email = clientEmail();
    const { status, body } = await call('POST', '/resellers/licenses', {
      client_name: 'Łukasz & Söhne',
      client_email: email,
      purchase_order: 'PO 7',
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        license: expect.stringMatching(/^\d+$/),
        client_name: 'Łukasz & Söhne',
        client_email: email,
        purchase_order: 'PO 7',
        creation_timestamp: expect.any(String),
        end_timestamp: expect.any(String),
        cc_added: false,
        paid: false,
        expired: false,
        blocked: false,
        seats: 1,
        plan: 'team',
        billing_cycle: '',
        total_discount: 0,
        discount_percent: 20,
        recurly: { subscriber: false, in_trial: true, recurrent: false },
      },
    });
    const { recurly: _, ...listed } = body;
    expect((await call('GET', '/resellers/licenses')).body.result).toEqual([listed]);
    expect(await read(body.license)).toEqual(body);
    await test.settle();
    const mails = (await test.context.outbox!.list()).filter(({ mail }) => mail.to.address === email);
    expect(mails.some(({ mail }) => mail.text.includes('/activate/'))).toBe(true);
  });

  it('is refused for an address that has one, also by two at once', async () => {
    const email = clientEmail();
    const ask = () => call('POST', '/resellers/licenses', { client_name: 'Client', client_email: email.toUpperCase() });
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { owner } = await buildOrganization(test);
    expect((await call('POST', '/resellers/licenses', { client_name: 'x', client_email: owner.login })).status).toBe(
      409,
    );
  });

  it.each([
    {},
    { client_name: 'x' },
    { client_name: ' ', client_email: 'a@b.test' },
    { client_name: 'x', client_email: 'a' },
  ])('is refused with %j', async (body) => expect((await call('POST', '/resellers/licenses', body)).status).toBe(400));

  it('is listed by its day, and is the partner’s own', async () => {
    const { license, creation_timestamp } = await create();
    const day = creation_timestamp.slice(0, 10);
    const count = async (query: string) => (await call('GET', `/resellers/licenses?${query}`)).body.result.length;
    expect(await count(`date_from=${day}&date_to=${day}`)).toBe(1);
    expect(await count('date_to=2020-01-01')).toBe(0);
    partner = await buildPartner(test);
    for (const path of ['', '/invoices', '/invoices/1'])
      expect((await call('GET', `/resellers/licenses/${license}${path}`)).status).toBe(404);
    expect((await subscribe(license)).status).toBe(404);
    expect((await change(license)).status).toBe(404);
    expect((await close(license)).status).toBe(404);
    expect((await call('PUT', `/resellers/licenses/${license}/billing`, { token: 'x' })).status).toBe(404);
  });
});

describe('the stand-in for a provider', () => {
  it('gives a token for a card', async () => {
    const answer = await askToken(GOOD);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ id: expect.stringMatching(/^tok_/) });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it.each([
    ['number', '4111111111111112'],
    ['month', '13'],
    ['year', '2020'],
    ['verification_value', ''],
    ['address1', ''],
    ['key', ''],
  ])('says what is wrong with %s %j', async (field, value) => {
    const answer = await askToken(GOOD, { [field]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toEqual(expect.any(String));
  });
});

describe('a subscription', () => {
  it('is charged at once, with the discount, and makes an invoice', async () => {
    const { license } = await create();
    expect(await subscribe(license)).toMatchObject({ status: 201, body: {} });
    expect(await read(license)).toMatchObject({
      paid: true,
      cc_added: true,
      seats: 2,
      plan: 'team',
      billing_cycle: 'monthly',
      total_discount: 19.6,
      recurly: { subscriber: true, in_trial: false, recurrent: true },
    });
    expect(await charged()).toBe(7840);
    expect(await invoices(license)).toMatchObject([
      {
        invoice_no: expect.any(Number),
        plan: 'team',
        billing_cycle: 'monthly',
        seats: 2,
        amount: 78.4,
        status: 'paid',
      },
    ]);
    expect((await call('GET', '/earnings')).body.solution.mainchat.discount).toBe(19.6);
    expect((await call('GET', '/active-licenses')).body).toMatchObject({ reseller_trials: 0, reseller_paid: 1 });
    expect((await subscribe(license)).status).toBe(409);
  });

  it('begins once, also when it is asked for at once', async () => {
    const { license } = await create();
    const answers = await Promise.all([subscribe(license), subscribe(license), subscribe(license)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await charged()).toBe(7840);
  });

  it('needs a token and a card that can be charged', async () => {
    const { license } = await create();
    expect(await subscribe(license, { token: 'none' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
    const declined = await subscribe(license, {}, DECLINED);
    expect(declined).toMatchObject({ status: 400, body: { error: { details: [{ field: 'token' }] } } });
    expect(declined.body.error.message).toContain('declined');
    expect(await read(license)).toMatchObject({ paid: false, recurly: { subscriber: false } });
    expect(await invoices(license)).toEqual([]);
    expect((await subscribe(license)).status).toBe(201);
  });

  it.each([
    { plan: 'enterprise' },
    { plan: 'x' },
    { billing_cycle: 'weekly' },
    { seats: 0 },
    { seats: 1.5 },
    { seats: 10_001 },
  ])('is refused with %j', async (terms) => {
    const { license } = await create();
    expect((await subscribe(license, terms)).status).toBe(400);
    expect((await change(license, terms)).status).toBe(400);
  });

  it('is charged once when the provider’s answer was lost', async () => {
    const { license } = await create();
    expect((await subscribe(license, {}, LATE)).status).toBe(503);
    expect((await subscribe(license)).status).toBe(409);
    test.clock.advance(61_000);
    await runJobs();
    expect(await read(license)).toMatchObject({ paid: true, recurly: { subscriber: true } });
    expect(await charged()).toBe(7840);
    expect(await invoices(license)).toHaveLength(1);
  });

  it('is changed: more is charged for the rest of the period, less helps with the next charge', async () => {
    const { license } = await create();
    expect((await change(license)).status).toBe(409);
    await subscribe(license);
    expect((await change(license, { seats: 4 })).status).toBe(200);
    expect(await charged()).toBe(15_680);
    expect(await read(license)).toMatchObject({ seats: 4, total_discount: 39.2 });
    expect((await change(license, { seats: 2 })).status).toBe(200);
    expect(await charged()).toBe(15_680);
    expect(await read(license)).toMatchObject({ seats: 2, total_discount: 19.6 });
    expect((await change(license, { seats: 3 })).status).toBe(200);
    expect(await charged()).toBe(15_680);
    expect((await invoices(license)).map(({ amount }: { amount: number }) => amount)).toEqual([78.4, 78.4]);
  });

  it('begins a new period with another cycle', async () => {
    const { license } = await create();
    await subscribe(license);
    expect((await change(license, { billing_cycle: 'annual' })).status).toBe(200);
    expect(await read(license)).toMatchObject({ billing_cycle: 'annual' });
    expect(await charged()).toBe(2 * 49_200 * 0.8);
  });

  it('is paid with what a coupon leaves', async () => {
    const { license } = await create();
    const { kysely } = test.context.database;
    const coupon = await kysely
      .insertInto('coupons')
      .values({ partnerId: partner.id, label: 'Half', percentOff: 50, createdAt: test.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await kysely
      .updateTable('referredLicences')
      .where('partnerId', '=', partner.id)
      .set({ couponId: coupon.id })
      .execute();
    await subscribe(license);
    expect(await charged()).toBe(3920);
  });
});

describe('closing', () => {
  it('needs the password', async () => {
    const { license } = await create();
    await subscribe(license);
    expect(await close(license, { password: 'a guess' })).toMatchObject({
      status: 403,
      body: { error: { type: 'forbidden' } },
    });
    expect((await close(license, {})).status).toBe(400);
    expect((await read(license)).recurly.recurrent).toBe(true);
  });

  it('ends with the period', async () => {
    const { license } = await create();
    await subscribe(license);
    expect(await close(license)).toMatchObject({ status: 200, body: {} });
    expect(await read(license)).toMatchObject({ paid: true, recurly: { subscriber: true, recurrent: false } });
    expect((await close(license)).status).toBe(409);
    test.clock.advance(32 * DAY_MS);
    await runJobs();
    expect(await charged()).toBe(7840);
  });

  it('ends at once', async () => {
    const { license } = await create();
    await subscribe(license);
    expect((await close(license, { password: PASSWORD, expire: true })).status).toBe(200);
    expect(await read(license)).toMatchObject({ paid: false, expired: true, recurly: { subscriber: false } });
    expect((await subscribe(license)).status).toBe(201);
    expect(await read(license)).toMatchObject({ paid: true, expired: false });
  });
});

describe('renewing', () => {
  it('charges the next period before the last one ends', async () => {
    const { license } = await create();
    await subscribe(license);
    const { end_timestamp } = await read(license);
    test.clock.advance(27 * DAY_MS);
    await runJobs();
    expect(await invoices(license)).toHaveLength(1);
    test.clock.advance(5 * DAY_MS);
    await runJobs();
    expect(await invoices(license)).toHaveLength(2);
    expect((await read(license)).end_timestamp > end_timestamp).toBe(true);
    await runJobs();
    expect(await invoices(license)).toHaveLength(2);
  });

  const failRenewal = async () => {
    const { license } = await create();
    await subscribe(license);
    expect(
      (await call('PUT', `/resellers/licenses/${license}/billing`, { token: await tokenOf(DECLINED) })).status,
    ).toBe(200);
    test.clock.advance(32 * DAY_MS);
    await runJobs();
    return license;
  };

  it('is tried again while the licence works, and the reseller is told', async () => {
    const license = await failRenewal();
    expect(await read(license)).toMatchObject({ expired: false, recurly: { recurrent: true } });
    const mails = (await test.context.outbox!.list()).filter(({ mail }) => mail.to.address === partner.login);
    expect(mails.some(({ mail }) => mail.subject.startsWith('A renewal could not be paid'))).toBe(true);
    expect((await change(license, { seats: 5 })).status).toBe(409);
    const healed = await call('PUT', `/resellers/licenses/${license}/billing`, { token: await tokenOf() });
    expect(healed.status).toBe(200);
    expect(await invoices(license)).toHaveLength(2);
    expect(await read(license)).toMatchObject({ paid: true });
  });

  it('ends after the last try', async () => {
    const license = await failRenewal();
    for (const days of [1, 2, 2]) {
      test.clock.advance(days * DAY_MS + 1000);
      await runJobs();
      expect((await read(license)).expired).toBe(false);
    }
    test.clock.advance(2 * DAY_MS + 1000);
    await runJobs();
    expect(await read(license)).toMatchObject({ paid: false, expired: true, recurly: { subscriber: false } });
    test.clock.advance(30 * DAY_MS);
    await runJobs();
    expect(await invoices(license)).toHaveLength(1);
    expect((await subscribe(license)).status).toBe(201);
  });
});

describe('an invoice', () => {
  const pdfText = async (pdf: Buffer): Promise<string | undefined> => {
    const run = promisify(execFile);
    const missing = await run('pdftotext', ['-v']).then(
      () => false,
      ({ code }) => code === 'ENOENT',
    );
    if (missing) return undefined;
    const child = run('pdftotext', ['-layout', '-', '-']);
    child.child.stdin!.end(pdf);
    return (await child).stdout;
  };

  const download = (license: string, invoiceNo: number | string) =>
    test.app.inject({
      url: `/v2/partners/resellers/licenses/${license}/invoices/${invoiceNo}`,
      headers: { authorization: `Bearer ${partner.token}` },
    });

  it('is a PDF that says what was paid', async (context) => {
    const { license } = await create({ purchase_order: 'PO 7' });
    await subscribe(license, { seats: 3 });
    const [{ invoice_no }] = await invoices(license);
    const response = await download(license, invoice_no);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/pdf');
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    const text = await pdfText(response.rawPayload);
    if (text === undefined) return context.skip('pdftotext is not installed');
    for (const part of [`Invoice ${invoice_no}`, 'Łukasz & Söhne', 'PO 7', '$147.00', '-$29.40', '$117.60', license])
      expect(text).toContain(part);
    expect(text).toMatch(/Total\s+\$117\.60/);
  });

  it('is made of an operator’s payment too', async () => {
    const { license } = await create();
    const { id } = await test.context.database.kysely
      .selectFrom('organizations')
      .where('licenceNumber', '=', Number(license))
      .select('id')
      .executeTakeFirstOrThrow();
    const payment = {
      external_id: `op ${license}`,
      product: 'mainchat',
      amount_cents: 4900,
      currency: 'USD',
      plan: 'team',
      seats: 1,
    };
    const paid = await test.app.inject({
      method: 'POST',
      url: `/operator/v1/organizations/${id}/payments`,
      headers: { authorization: `Bearer ${test.operatorToken}` },
      payload: payment,
    });
    expect(paid.statusCode).toBe(201);
    expect(await invoices(license)).toMatchObject([{ amount: 49, plan: 'team', seats: 1 }]);
    expect((await download(license, (await invoices(license))[0].invoice_no)).statusCode).toBe(200);
  });

  it('is not another licence’s', async () => {
    const { license } = await create();
    await subscribe(license);
    const other = await create();
    expect((await download(other.license, (await invoices(license))[0].invoice_no)).statusCode).toBe(404);
    expect((await download(license, 999_999_999)).statusCode).toBe(404);
    expect((await download(license, 'x')).statusCode).toBe(400);
  });
});

describe('the history', () => {
  it('has twelve months of trials and first payments', async () => {
    await create();
    const { license } = await create();
    await subscribe(license);
    const { body } = await call('GET', '/resellers/history');
    expect(body.result).toHaveLength(12);
    expect(body.result.at(-1)).toEqual({ date: test.clock.now().toISOString().slice(0, 7), trials: 2, paid: 1 });
    expect(body.result[0]).toMatchObject({ trials: 0, paid: 0 });
  });
});
