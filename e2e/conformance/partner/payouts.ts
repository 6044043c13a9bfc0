import { describe, expect, it } from 'vitest';
import { billing, day, expectError, type Json, NUMBER, newName, TIME } from './index.ts';
import { kit } from './target.ts';

const { newPartner, newLicense, operator, pay } = kit;

const money = (commission: number) => ({ commission_total: commission, commission_last_30_days: commission });
const saved = { discount: 0, ...money(0) };

describe('earnings and balance', async () => {
  const partner = await newPartner();
  const referred = await newPartner({ referred_by: partner.id });
  const [first, blocked, theirs] = [await newLicense(partner), await newLicense(partner), await newLicense(referred)];

  it('GET /v2/partners/earnings and /balance are zero for a new partner', async () => {
    const newcomer = await newPartner();
    expect(await newcomer.ok(200, 'GET', '/earnings')).toEqual({
      ...{ balance: 0, blocked: 0, ...money(0), withdrawals: 0, pending: 0 },
      affiliate: { ...money(0), mainchat: money(0), chatbot: money(0), partner_program: money(0) },
      solution: { ...money(0), mainchat: saved, chatbot: saved },
    });
    expect(await newcomer.ok(200, 'GET', '/balance')).toEqual({
      pending: 0,
      withdrawn: 0,
      available: 0,
      total: '0.00',
    });
  });

  it('GET /v2/partners/earnings shows 20% of payments and 5% through referred partners, on hold while blocked', async () => {
    await pay(first, 10_000);
    await pay(first, 5000, { product: 'chatbot' });
    await pay(blocked, 20_000);
    await pay(theirs, 30_000);
    await operator.ok(200, 'PATCH', `/organizations/${blocked.id}`, { status: 'blocked' });
    const held = await partner.ok(200, 'GET', '/earnings');
    expect(held).toEqual({
      ...{ balance: 45, blocked: 40, ...money(85), withdrawals: 0, pending: 0 },
      affiliate: { ...money(85), mainchat: money(60), chatbot: money(10), partner_program: money(15) },
      solution: { ...money(0), mainchat: saved, chatbot: saved },
    });
    expect(await partner.ok(200, 'GET', '/balance')).toEqual({
      pending: 0,
      withdrawn: 0,
      available: 45,
      total: '45.00',
    });
    await operator.ok(200, 'PATCH', `/organizations/${blocked.id}`, { status: 'active' });
    expect(await partner.ok(200, 'GET', '/earnings')).toEqual({ ...held, balance: 85, blocked: 0 });
    expect(await referred.ok(200, 'GET', '/earnings')).toMatchObject({
      balance: 60,
      affiliate: { mainchat: money(60) },
    });
  });

  it('an old payment counts in the total but not in the last 30 days', async () => {
    const before = await partner.ok(200, 'GET', '/earnings');
    await pay(first, 500, { paid_at: `${day(-60)}T12:00:00Z` });
    const after = await partner.ok(200, 'GET', '/earnings');
    expect(after.commission_total).toBe(before.commission_total + 1);
    expect(after.commission_last_30_days).toBe(before.commission_last_30_days);
  });
});

describe('billing', async () => {
  const partner = await newPartner();
  const empty = Object.fromEntries(Object.keys(billing).map((name) => [name, '']));

  it('GET and PUT /v2/partners/billing read and update the billing data', async () => {
    expect(await partner.ok(200, 'GET', '/billing')).toEqual(empty);
    const response = await partner.sendRequest('PUT', '/billing', billing);
    expect([response.status, response.body]).toEqual([204, '']);
    expect(await partner.ok(200, 'GET', '/billing')).toEqual(billing);
    await partner.ok(204, 'PUT', '/billing', new URLSearchParams({ ...billing, city: 'Łódź', country: 'PL' }));
    expect(await partner.ok(200, 'GET', '/billing')).toEqual({ ...billing, city: 'Łódź', country: 'PL' });
  });

  it('zip_code, vat and state are optional', async () => {
    const { zip_code: _zip, vat: _vat, state: _state, ...required } = billing;
    await partner.ok(204, 'PUT', '/billing', { ...required, type: 'individual' });
    expect(await partner.ok(200, 'GET', '/billing')).toMatchObject({ ...required, type: 'individual' });
  });

  it.each(['type', 'company', 'address', 'city', 'country', 'payout_account'])(
    'PUT /v2/partners/billing requires %s',
    async (name) => {
      const { [name as keyof typeof billing]: _, ...rest } = billing;
      expectError(await partner.sendRequest('PUT', '/billing', rest), 400, name);
      expectError(await partner.sendRequest('PUT', '/billing', { ...billing, [name]: '' }), 400, name);
    },
  );

  it.each([
    ['type', 'charity'],
    ['country', 'XX'],
    ['country', 'Poland'],
    ['payout_account', 'nobody'],
  ])('PUT /v2/partners/billing rejects %s %s', async (name, value) => {
    expectError(await partner.sendRequest('PUT', '/billing', { ...billing, [name]: value }), 400, name);
  });
});

describe('withdrawals', async () => {
  const partner = await newPartner();
  const license = await newLicense(partner);
  const list = async (query = ''): Promise<Json[]> => (await partner.ok(200, 'GET', `/withdrawals${query}`)).result;
  const sendRequest = () => partner.sendRequest('POST', '/withdrawals');
  let first: Json;

  it('a withdrawal below 50 returns 403, checked before missing billing data (409)', async () => {
    expectError(await sendRequest(), 403);
    await pay(license, 24_995);
    expect((await partner.ok(200, 'GET', '/balance')).available).toBe(49.99);
    expectError(await sendRequest(), 403);
    await pay(license, 5);
    expectError(await sendRequest(), 409);
    await partner.ok(204, 'PUT', '/billing', billing);
    expect(await list()).toEqual([]);
  });

  it('(none) → pending: POST /v2/partners/withdrawals withdraws the whole balance, and of two concurrent requests one wins', async () => {
    const responses = await Promise.all([sendRequest(), sendRequest(), sendRequest()]);
    const [made, ...others] = responses.toSorted((one, other) => one.status - other.status);
    expect(made!.status).toBe(201);
    for (const other of others) expectError(other, 403);
    first = made!.body;
    const month = day().slice(0, 7).replace('-', '/');
    expect(first).toEqual({
      ...{ withdrawal_id: NUMBER, request_timestamp: TIME, action_timestamp: '', status: 'pending', amount: 50 },
      ...{ invoice_id: expect.stringMatching(new RegExp(`^${month}/\\d+$`)), payout_account: billing.payout_account },
    });
    expect(await partner.ok(200, 'GET', '/balance')).toEqual({
      pending: 50,
      withdrawn: 0,
      available: 0,
      total: '50.00',
    });
    expect(await partner.ok(200, 'GET', '/earnings')).toMatchObject({ balance: 0, pending: 50, withdrawals: 0 });
  });

  it('GET /v2/partners/withdrawals filters by both date formats', async () => {
    expect(await list()).toEqual([first]);
    expect(await list(`?date_from=${day()}&date_to=${day()}`)).toEqual([first]);
    expect(await list(`?date_from=${day(-1)}`)).toEqual([first]);
    expect(await list(`?date_to=${day(-1)}`)).toEqual([]);
    const at = first.request_timestamp.replace(' ', 'T');
    expect(await list(`?date_from=${at}Z&date_to=${at}Z`)).toEqual([first]);
    for (const query of ['?date_from=yesterday', '?date_to=2026-02-30', `?date_from=${day()}&date_to=${day(-1)}`])
      expectError(await partner.sendRequest('GET', `/withdrawals${query}`), 400);
  });

  it('pending → rejected returns the money, pending → paid does not; only the operator can do either, and only once', async () => {
    const act = (id: number, what: string, body: Json = {}) =>
      operator.sendRequest('POST', `/withdrawals/${id}/${what}`, body);
    const waiting = (await operator.ok(200, 'GET', '/withdrawals?status=pending&limit=100')).withdrawals;
    expect(waiting.map(({ id }: Json) => id)).toContain(first.withdrawal_id);
    expectError(await act(first.withdrawal_id, 'reject'), 400, 'reason');
    expect((await act(first.withdrawal_id, 'reject', { reason: 'Wrong account' })).status).toBe(200);
    expect(await list()).toEqual([{ ...first, status: 'rejected', action_timestamp: TIME }]);
    expect(await partner.ok(200, 'GET', '/balance')).toEqual({
      pending: 0,
      withdrawn: 0,
      available: 50,
      total: '50.00',
    });
    const again = await partner.ok(201, 'POST', '/withdrawals');
    expect(again.invoice_id).not.toBe(first.invoice_id);
    expect((await act(again.withdrawal_id, 'pay')).status).toBe(200);
    expect(await partner.ok(200, 'GET', '/balance')).toEqual({
      pending: 0,
      withdrawn: 50,
      available: 0,
      total: '50.00',
    });
    expect(await partner.ok(200, 'GET', '/earnings')).toMatchObject({ balance: 0, pending: 0, withdrawals: 50 });
    for (const [id, what] of [
      [again.withdrawal_id, 'reject'],
      [again.withdrawal_id, 'pay'],
      [first.withdrawal_id, 'pay'],
    ] as const)
      expectError(await act(id, what, { reason: 'Late' }), 409);
    expectError(await act(999_999_999, 'pay'), 404);
    expect((await list()).map(({ status }) => status)).toEqual(['paid', 'rejected']);
  });

  it('a refund takes the commission back, even below a zero balance', async () => {
    const external = await pay(license, 1000);
    const refund = (external_id: string, amount_cents: number) =>
      operator.sendRequest('POST', `/payments/${external}/refunds`, { external_id, amount_cents });
    const name = newName();
    expect((await refund(name, 500)).status).toBe(201);
    expect((await refund(name, 500)).status).toBe(200);
    expect((await partner.ok(200, 'GET', '/balance')).available).toBe(1);
    expectError(await refund(newName(), 501), 400);
    expect((await refund(newName(), 500)).status).toBe(201);
    expect((await partner.ok(200, 'GET', '/balance')).available).toBe(0);
    const { payments } = await operator.ok(200, 'GET', `/organizations/${license.id}/payments`);
    const large = payments.find((one: Json) => one.amount_cents === 24_995);
    const body = { external_id: newName(), amount_cents: 24_995, kind: 'chargeback' };
    expect((await operator.sendRequest('POST', `/payments/${large.external_id}/refunds`, body)).status).toBe(201);
    const [balance, earnings] = [await partner.ok(200, 'GET', '/balance'), await partner.ok(200, 'GET', '/earnings')];
    expect(balance).toEqual({ pending: 0, withdrawn: 50, available: -49.99, total: '0.01' });
    expect(earnings).toMatchObject({ balance: -49.99, commission_total: 0.01, affiliate: { mainchat: money(0.01) } });
    expectError(await sendRequest(), 403);
  });
});
