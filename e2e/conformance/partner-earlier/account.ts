import { describe, expect, it } from 'vitest';
import { billing, day, expectError, type Json, PASSWORD, TEXT, TIME } from '../partner/index.ts';
import { kit } from './target.ts';

const { newPartner, newLicense, operator, pay } = kit;

const settings = {
  ...{ send_monthly_summary: false, send_reseller_weekly_summary: true },
  ...{ send_newsletter: false, send_notifications: true },
};
const changes = { full_name: 'Anna Maria Schmidt', contact_name: 'Anna', contact_email: 'anna@far.test', ...settings };

describe('profile', async () => {
  const partner = await newPartner();

  it('GET /v2/partners?shape=earlier returns the profile', async () => {
    const percent = (value: number) => ({ percent: value, end_timestamp: expect.any(String) });
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toEqual({
      ...{ partner_id: partner.id, login: partner.login, full_name: 'Paula Partner', contact_name: TEXT },
      ...{ contact_email: TEXT, websites: [], send_monthly_summary: expect.any(Boolean) },
      ...{ send_reseller_weekly_summary: expect.any(Boolean), send_newsletter: expect.any(Boolean) },
      send_notifications: expect.any(Boolean),
      affiliate: { url: TEXT, short_url: TEXT, current_commission: percent(20) },
      reseller: { current_discount: percent(20) },
      expert: { status: TEXT, marketplace_position: 0 },
    });
    const { mainchat } = await partner.ok(200, 'GET', '/affiliates/links');
    expect((await partner.ok(200, 'GET', '?shape=earlier')).affiliate).toMatchObject(mainchat);
    expect(await partner.ok(200, 'GET', '?shape=other')).toEqual(await partner.ok(200, 'GET', ''));
  });

  it('PUT /v2/partners with full_name uses the earlier shape (200), without it the current one (204)', async () => {
    await partner.ok(200, 'PUT', '', { ...changes, websites: ['https://anna.test/', 'http://a.test/b?c=d'] });
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toMatchObject({
      ...changes,
      websites: ['https://anna.test/', 'http://a.test/b?c=d'],
    });
    const { first_name, last_name } = await partner.ok(200, 'GET', '');
    expect(`${first_name} ${last_name}`).toBe(changes.full_name);
    await partner.ok(204, 'PUT', '', {
      first_name: 'B',
      last_name: 'C',
      contact_name: 'D',
      contact_email: 'd@far.test',
    });
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toMatchObject({
      full_name: 'B C',
      contact_name: 'D',
      ...settings,
    });
    const form = new URLSearchParams(Object.entries(changes).map(([name, value]) => [name, String(value)]));
    form.append('websites[]', 'https://form.test/');
    await partner.ok(200, 'PUT', '', form);
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toMatchObject({
      ...changes,
      websites: ['https://form.test/'],
    });
  });

  it.each(Object.keys(changes).filter((name) => name !== 'full_name'))('PUT /v2/partners requires %s', async (name) => {
    const before = await partner.ok(200, 'GET', '?shape=earlier');
    const { [name as keyof typeof changes]: _, ...rest } = changes;
    expectError(await partner.sendRequest('PUT', '', rest), 400, name);
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toEqual(before);
  });

  it('PUT /v2/partners rejects invalid values', async () => {
    const wrong = { full_name: '', contact_email: 'nobody', send_newsletter: 'perhaps' };
    for (const [name, value] of Object.entries(wrong))
      expectError(await partner.sendRequest('PUT', '', { ...changes, [name]: value }), 400, name);
    for (const websites of [['nothing'], ['javascript:alert(1)'], [7], { a: 1 }])
      expect((await partner.sendRequest('PUT', '', { ...changes, websites })).status).toBe(400);
  });
});

describe('PUT /v2/partners/password', () => {
  it('PUT /v2/partners/password requires the current password and at least 6 characters', async () => {
    const partner = await newPartner();
    const change = (current_password: Json, new_password: Json) =>
      partner.sendRequest('PUT', '/password', { current_password, new_password });
    expectError(await change('wrong password', 'another one'), 403);
    expectError(await change(PASSWORD, '12345'), 400, 'new_password');
    expectError(await change(undefined, 'another one'), 400, 'current_password');
    expectError(await change(PASSWORD, undefined), 400, 'new_password');
    await partner.ok(200, 'PUT', '/password', { current_password: PASSWORD, new_password: 'k7-Qzp' });
    expectError(await change(PASSWORD, 'another one'), 403);
    await partner.ok(200, 'PUT', '/password', 'current_password=k7-Qzp&new_password=a+new%20one');
    expect((await partner.sendRequest('GET', '')).status).toBe(200);
  });
});

describe('licenses and earnings', async () => {
  const partner = await newPartner();

  it('GET /v2/partners/active-licenses and GET /v2/partners/earnings?shape=earlier return licenses and earnings', async () => {
    const none = {
      affiliate_trials: 0,
      affiliate_trials_cc: 0,
      affiliate_paid: 0,
      reseller_trials: 0,
      reseller_trials_cc: 0,
      reseller_paid: 0,
    };
    expect(await partner.ok(200, 'GET', '/active-licenses')).toEqual(none);
    const earnings = { balance: 0, commission: 0, blocked: 0, withdrawals: 0, pending: 0, discount: 0 };
    expect(await partner.ok(200, 'GET', '/earnings?shape=earlier')).toEqual(earnings);
    const [paid] = [await newLicense(partner), await newLicense(partner, { product: 'chatbot' })];
    await pay(paid, 1234);
    await partner.ok(201, 'POST', '/resellers/licenses', {
      client_name: 'Client',
      client_email: `${crypto.randomUUID()}@far.test`,
    });
    expect(await partner.ok(200, 'GET', '/active-licenses')).toEqual({
      ...none,
      affiliate_trials: 1,
      affiliate_paid: 1,
      reseller_trials: 1,
    });
    expect(await partner.ok(200, 'GET', '/earnings?shape=earlier')).toEqual({
      ...earnings,
      balance: 2.47,
      commission: 2.47,
    });
    await operator.ok(200, 'PATCH', `/organizations/${paid.id}`, { status: 'blocked' });
    expect(await partner.ok(200, 'GET', '/earnings?shape=earlier')).toEqual({
      ...earnings,
      blocked: 2.47,
      commission: 2.47,
    });
    expect(await partner.ok(200, 'GET', '/earnings')).toMatchObject({
      balance: 0,
      blocked: 2.47,
      commission_total: 2.47,
    });
  });
});

describe('billing and withdrawals', async () => {
  const partner = await newPartner();
  const { state: _state, ...earlierBilling } = billing;

  it('GET and PUT /v2/partners/affiliates/billing read and update the billing data', async () => {
    await partner.ok(204, 'PUT', '/billing', billing);
    expect(await partner.ok(200, 'GET', '/affiliates/billing')).toEqual(earlierBilling);
    await partner.ok(200, 'PUT', '/affiliates/billing', { ...earlierBilling, city: 'Leeds', state: 'Not accepted' });
    expect(await partner.ok(200, 'GET', '/affiliates/billing')).toEqual({ ...earlierBilling, city: 'Leeds' });
    expect((await partner.ok(200, 'GET', '/billing')).state).not.toBe('Not accepted');
    await partner.ok(200, 'PUT', '/affiliates/billing', new URLSearchParams(earlierBilling));
    for (const name of ['type', 'company', 'address', 'city', 'country', 'payout_account']) {
      const { [name as keyof typeof earlierBilling]: _, ...rest } = earlierBilling;
      expectError(await partner.sendRequest('PUT', '/affiliates/billing', rest), 400, name);
    }
    for (const [name, value] of [
      ['type', 'charity'],
      ['country', 'ZZ'],
      ['payout_account', 'x'],
    ] as const)
      expectError(
        await partner.sendRequest('PUT', '/affiliates/billing', { ...earlierBilling, [name]: value }),
        400,
        name,
      );
  });

  it('POST and GET /v2/partners/affiliates/withdrawals create and list withdrawals', async () => {
    const poor = await newPartner();
    const license = await newLicense(poor);
    const sendRequest = () => poor.sendRequest('POST', '/affiliates/withdrawals');
    expectError(await sendRequest(), 403);
    await pay(license, 24_995);
    expectError(await sendRequest(), 403);
    await pay(license, 5);
    expectError(await sendRequest(), 409);
    await poor.ok(200, 'PUT', '/affiliates/billing', earlierBilling);
    const responses = await Promise.all([sendRequest(), poor.sendRequest('POST', '/withdrawals')]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 403]);
    await pay(license, 100_000);
    const shape = {
      request_timestamp: TIME,
      action_timestamp: '',
      status: 'pending',
      amount: 200,
      invoice_id: expect.stringMatching(/^\d{4}\/\d\d\/\d+$/),
    };
    const made = await poor.ok(201, 'POST', '/affiliates/withdrawals');
    expect(made).toEqual(shape);
    const list = async (query = ''): Promise<Json[]> =>
      (await poor.ok(200, 'GET', `/affiliates/withdrawals${query}`)).result;
    expect(await list()).toEqual([made, { ...shape, amount: 50 }]);
    expect(await list(`?date_from=${day()}&date_to=${day()}T23:59:59Z`)).toHaveLength(2);
    expect(await list(`?date_to=${day(-1)}`)).toEqual([]);
    for (const query of ['?date_from=x', `?date_from=${day()}&date_to=${day(-1)}`])
      expectError(await poor.sendRequest('GET', `/affiliates/withdrawals${query}`), 400);
    expect(await poor.ok(200, 'GET', '/earnings?shape=earlier')).toMatchObject({
      balance: 0,
      pending: 250,
      withdrawals: 0,
      commission: 250,
    });
  });
});
