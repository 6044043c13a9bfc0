import { extractText } from 'unpdf';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization } from '#server/testing/builders/factories.ts';
import { buildReseller, clientEmail, GOOD, type TestReseller } from '../../../testing/builders/reseller.ts';

const test = useTestApp();
let reseller: TestReseller;

beforeEach(async () => {
  reseller = await buildReseller(test);
});

describe('a license for a client', () => {
  it('a resold license starts as a trial and invites the client', async () => {
    const email = clientEmail();
    const { status, body } = await reseller.call('POST', '/resellers/licenses', {
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
    expect((await reseller.call('GET', '/resellers/licenses')).body.result).toEqual([listed]);
    expect(await reseller.read(body.license)).toEqual(body);
    await test.runDueJobs();
    const mails = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === email);
    expect(mails.some(({ mail }) => mail.text.includes('/activate/'))).toBe(true);
  });

  it('an expired invitation does not keep the address from being invited again', async () => {
    const email = clientEmail();
    const sell = () => reseller.call('POST', '/resellers/licenses', { client_name: 'Client', client_email: email });
    expect([(await sell()).status, (await sell()).status]).toEqual([201, 409]);
    test.clock.advance(7 * 24 * 3600_000);
    expect((await sell()).status).toBe(201);
  });

  it('a reseller has at most fifty licenses on trial', async () => {
    for (let n = 0; n < 50; n++) await reseller.create();
    const refused = await reseller.call('POST', '/resellers/licenses', {
      client_name: 'x',
      client_email: clientEmail(),
    });
    expect(refused).toMatchObject({ status: 403, body: { error: { type: 'limit_reached' } } });
  });

  it('an email address gets only one license, also under concurrency', async () => {
    const email = clientEmail();
    const ask = () =>
      reseller.call('POST', '/resellers/licenses', { client_name: 'Client', client_email: email.toUpperCase() });
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { owner } = await buildOrganization(test);
    expect(
      (await reseller.call('POST', '/resellers/licenses', { client_name: 'x', client_email: owner.login })).status,
    ).toBe(409);
  });

  it.each([
    {},
    { client_name: 'x' },
    { client_name: ' ', client_email: 'a@b.test' },
    { client_name: 'x', client_email: 'a' },
  ])('is rejected with %j', async (body) =>
    expect((await reseller.call('POST', '/resellers/licenses', body)).status).toBe(400),
  );

  it('licenses are listed by day and belong to the partner', async () => {
    const { license, creation_timestamp } = await reseller.create();
    const day = creation_timestamp.slice(0, 10);
    const count = async (query: string) =>
      (await reseller.call('GET', `/resellers/licenses?${query}`)).body.result.length;
    expect(await count(`date_from=${day}&date_to=${day}`)).toBe(1);
    expect(await count('date_to=2020-01-01')).toBe(0);
    reseller = await buildReseller(test);
    for (const path of ['', '/invoices', '/invoices/1'])
      expect((await reseller.call('GET', `/resellers/licenses/${license}${path}`)).status).toBe(404);
    expect((await reseller.subscribe(license)).status).toBe(404);
    expect((await reseller.change(license)).status).toBe(404);
    expect((await reseller.close(license)).status).toBe(404);
    expect((await reseller.call('PUT', `/resellers/licenses/${license}/billing`, { token: 'x' })).status).toBe(404);
  });
});

describe('the sandbox provider', () => {
  it('the sandbox page returns a token for a card', async () => {
    const answer = await reseller.askToken(GOOD);
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
  ])('the sandbox page names the error in the %s %j', async (field, value) => {
    const answer = await reseller.askToken(GOOD, { [field]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toEqual(expect.any(String));
  });
});

describe('an invoice', () => {
  const readPdf = async (pdf: Buffer): Promise<string> => {
    const { text } = await extractText(new Uint8Array(pdf), { mergePages: true });
    return text;
  };

  const download = (license: string, invoiceNo: number | string) =>
    test.app.inject({
      url: `/v2/partners/resellers/licenses/${license}/invoices/${invoiceNo}`,
      headers: { authorization: `Bearer ${reseller.token}` },
    });

  it('an invoice is a PDF with the payment', async () => {
    const { license } = await reseller.create({ purchase_order: 'PO 7' });
    await reseller.subscribe(license, { seats: 3 });
    const [{ invoice_no }] = await reseller.invoices(license);
    const response = await download(license, invoice_no);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/pdf');
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    const text = await readPdf(response.rawPayload);
    for (const part of [`Invoice ${invoice_no}`, 'Łukasz & Söhne', 'PO 7', '$147.00', '-$29.40', '$117.60', license])
      expect(text).toContain(part);
    // The amount precedes its label in the text of the document.
    expect(text).toMatch(/\$117\.60\s*Total/);
  });

  it('a payment recorded by the operator has an invoice too', async () => {
    const { license } = await reseller.create();
    const { id } = await test.context.database.kysely
      .selectFrom('organizations')
      .where('licenseNumber', '=', Number(license))
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
    expect(await reseller.invoices(license)).toMatchObject([{ amount: 49, plan: 'team', seats: 1 }]);
    expect((await download(license, (await reseller.invoices(license))[0].invoice_no)).statusCode).toBe(200);
  });

  it('an invoice is found only for its own license', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    const other = await reseller.create();
    expect((await download(other.license, (await reseller.invoices(license))[0].invoice_no)).statusCode).toBe(404);
    expect((await download(license, 999_999_999)).statusCode).toBe(404);
    expect((await download(license, 'x')).statusCode).toBe(400);
  });
});

describe('the history', () => {
  it('the history has twelve months of trials and first payments', async () => {
    await reseller.create();
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    const { body } = await reseller.call('GET', '/resellers/history');
    expect(body.result).toHaveLength(12);
    expect(body.result.at(-1)).toEqual({ date: test.clock.now().toISOString().slice(0, 7), trials: 2, paid: 1 });
    expect(body.result[0]).toMatchObject({ trials: 0, paid: 0 });
  });
});
