import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { earn } from '#server/testing/builders/ledger.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeEach(async () => {
  partner = await buildPartner(test);
});

const call = callAs(
  () => test,
  () => partner.token,
);

const operate = async (method: 'GET' | 'POST', path: string, body?: object) => {
  const response = await test.app.inject({
    method,
    url: `/operator/v1/withdrawals${path}`,
    headers: { authorization: `Bearer ${test.operatorToken}` },
    ...(body ? { payload: body } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};

const billing = {
  type: 'business',
  company: 'Paula & Co',
  address: 'Long Street 1',
  city: 'Warsaw',
  country: 'PL',
  payout_account: 'payout@partner.test',
};

const mails = async () => {
  await test.runDueJobs();
  const kept = await test.context.ports.outbox!.list();
  return kept
    .filter(({ mail }) => mail.to.address === partner.login)
    .map(({ mail }) => `${mail.subject}\n${mail.text}`);
};

const balance = async () => (await call('GET', '/balance')).body;

describe('a withdrawal', () => {
  it('a withdrawal takes the whole available balance with an invoice number and an email', async () => {
    await call('PUT', '/billing', billing);
    await earn(test, partner, 12_345);
    const { status, body } = await call('POST', '/withdrawals');
    expect(status).toBe(201);
    expect(body).toEqual({
      withdrawal_id: expect.any(Number),
      request_timestamp: '2026-03-02 10:00:00',
      action_timestamp: '',
      status: 'pending',
      amount: 123.45,
      invoice_id: expect.stringMatching(/^2026\/03\/\d+$/),
      payout_account: 'payout@partner.test',
    });
    expect(await balance()).toEqual({ pending: 123.45, withdrawn: 0, available: 0, total: '123.45' });
    expect((await call('GET', '/withdrawals')).body.result).toEqual([body]);
    expect(await mails()).toContainEqual(expect.stringContaining('Payout requested: $123.45'));
  });

  it('a withdrawal needs $50, which is checked before the billing details', async () => {
    await earn(test, partner, 4999);
    expect(await call('POST', '/withdrawals')).toMatchObject({
      status: 403,
      body: { error: { type: 'insufficient_balance' } },
    });
    await earn(test, partner, 1);
    expect(await call('POST', '/withdrawals')).toMatchObject({
      status: 409,
      body: { error: { type: 'billing_missing' } },
    });
    await call('PUT', '/billing', billing);
    expect((await call('POST', '/withdrawals')).body.amount).toBe(50);
  });

  it('five concurrent requests make one withdrawal', async () => {
    await call('PUT', '/billing', billing);
    await earn(test, partner, 9000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/withdrawals')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403]);
    expect(await balance()).toMatchObject({ pending: 90, available: 0 });
  });

  it('a blocked partner cannot withdraw', async () => {
    await call('PUT', '/billing', billing);
    await earn(test, partner, 9000);
    await test.context.database.kysely
      .updateTable('partners')
      .where('id', '=', partner.id)
      .set({ blocked: true })
      .execute();
    expect(await call('POST', '/withdrawals')).toMatchObject({ status: 403, body: { error: { type: 'forbidden' } } });
  });

  it('invoice numbers are unique across partners', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const other = await buildPartner(test);
        const as = callAs(
          () => test,
          () => other.token,
        );
        await as('PUT', '/billing', billing);
        await earn(test, other, 5000);
        return (await as('POST', '/withdrawals')).body.invoice_id;
      }),
    );
    expect(new Set(ids).size).toBe(6);
  });
});

describe('the list of withdrawals', () => {
  it('withdrawals are filtered by the day of the request and belong to the partner', async () => {
    await call('PUT', '/billing', billing);
    await earn(test, partner, 5000);
    await call('POST', '/withdrawals');
    const listed = async (query: string) => (await call('GET', `/withdrawals?${query}`)).body.result.length;
    expect(await listed('date_from=2026-03-02&date_to=2026-03-02')).toBe(1);
    expect(await listed('date_to=2026-03-01')).toBe(0);
    expect(await listed('date_from=2026-03-02T10:00:01Z')).toBe(0);
    expect(await listed('date_to=2026-03-02T10:00:00Z')).toBe(1);
    partner = await buildPartner(test);
    expect(await listed('')).toBe(0);
  });

  it.each(['date_from=yesterday', 'date_from=2026-02-30', 'date_from=2026-03-02&date_to=2026-03-01', 'date_to='])(
    'the list rejects %s',
    async (query) => expect((await call('GET', `/withdrawals?${query}`)).status).toBe(400),
  );
});

describe('the operator', () => {
  const request = async (): Promise<{ withdrawal_id: number; invoice_id: string }> => {
    await call('PUT', '/billing', billing);
    await earn(test, partner, 7000);
    return (await call('POST', '/withdrawals')).body;
  };

  it('the operator pays a withdrawal once', async () => {
    const { withdrawal_id: id, invoice_id } = await request();
    const answers = await Promise.all([1, 2, 3].map(() => operate('POST', `/${id}/pay`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      id,
      partner_id: String(partner.id),
      status: 'paid',
      amount_cents: 7000,
      invoice_id,
      billing: { ...billing, company: 'Paula & Co', city: 'Warsaw' },
      acted_at: '2026-03-02T10:00:00.000000Z',
    });
    expect((await operate('POST', `/${id}/reject`, { reason: 'Too late' })).status).toBe(409);
    expect(await balance()).toEqual({ pending: 0, withdrawn: 70, available: 0, total: '70.00' });
    expect((await call('GET', '/withdrawals')).body.result).toMatchObject([
      { status: 'paid', action_timestamp: '2026-03-02 10:00:00' },
    ]);
    expect(await mails()).toContainEqual(expect.stringContaining('Payout sent: $70.00'));
  });

  it('rejecting a withdrawal returns the money', async () => {
    const { withdrawal_id: id } = await request();
    const rejected = await operate('POST', `/${id}/reject`, { reason: 'The account does not exist' });
    expect(rejected).toMatchObject({ status: 200, body: { status: 'rejected', reason: 'The account does not exist' } });
    expect(await balance()).toEqual({ pending: 0, withdrawn: 0, available: 70, total: '70.00' });
    expect(await mails()).toContainEqual(expect.stringContaining('The account does not exist'));
    expect((await call('POST', '/withdrawals')).body.amount).toBe(70);
  });

  it('withdrawals are listed by status, in pages', async () => {
    const { withdrawal_id: id } = await request();
    expect((await operate('GET', `?status=pending&after=${id - 1}`)).body.withdrawals).toMatchObject([{ id }]);
    expect((await operate('GET', `?status=paid&after=${id - 1}`)).body.withdrawals).toEqual([]);
    partner = await buildPartner(test);
    await request();
    expect((await operate('GET', `?after=${id - 1}&limit=1`)).body).toMatchObject({ withdrawals: [{ id }], next: id });
  });

  it('unknown organizations and logins get an error', async () => {
    expect((await operate('POST', '/999999999/pay')).status).toBe(404);
    expect((await operate('POST', '/abc/pay')).status).toBe(400);
    expect((await operate('POST', '/999999999/reject', {})).status).toBe(400);
    expect((await operate('GET', '?status=lost')).status).toBe(400);
  });
});
