import { beforeEach, describe, expect, it } from 'vitest';
import { updateOrganization } from '#server/domain/accounts/licenses/update-organization.ts';
import { addReferredLicense } from '#server/domain/partners/referrals/add-referred-license.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, buildPartner } from '#server/testing/builders/factories.ts';
import { earn, partnerScope } from '#server/testing/builders/ledger.ts';
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

type License = { program?: 'affiliate' | 'solution'; product?: 'mainchat' | 'chatbot' | 'helpdesk'; card?: boolean };

const bring = async (
  partnerId: number,
  { program = 'affiliate', product = 'mainchat', card = false }: License = {},
) => {
  const { id } = await buildOrganization(test, { online: false });
  const scope = partnerScope(test, partnerId);
  const createdAt = scope.now();
  const row = { organizationId: id, program, product, status: 'trial', createdAt } as const;
  await addReferredLicense(scope, { ...row, cardAddedAt: card ? createdAt : null });
  return id;
};

const setStatus = (id: string, status: 'active' | 'expired' | 'blocked') =>
  updateOrganization(openPlatformScope(test.context.services, { kind: 'system' }), { id, status });

describe('the stats', () => {
  it('stats count the current licenses by program and product', async () => {
    await bring(partner.id);
    await bring(partner.id, { card: true });
    await bring(partner.id, { product: 'helpdesk' });
    await setStatus(await bring(partner.id, { card: true }), 'active');
    await setStatus(await bring(partner.id), 'expired');
    await setStatus(await bring(partner.id), 'blocked');
    await setStatus(await bring(partner.id, { program: 'solution', product: 'chatbot' }), 'active');
    await bring((await buildPartner(test)).id);
    const { status, body } = await call('GET', '/stats');
    expect(status).toBe(200);
    const none = { trials: 0, trials_cc: 0, paid: 0 };
    expect(body).toEqual({
      affiliate: {
        mainchat: { trials: 2, trials_cc: 1, paid: 1 },
        chatbot: none,
        helpdesk: { trials: 1, trials_cc: 0, paid: 0 },
        partner_program: { ...none, partners_referred: 0 },
      },
      solution: { mainchat: none, chatbot: { trials: 0, trials_cc: 0, paid: 1 }, helpdesk: none },
    });
    expect((await call('GET', '/active-licenses')).body).toEqual({
      affiliate_trials: 3,
      affiliate_trials_cc: 1,
      affiliate_paid: 1,
      reseller_trials: 0,
      reseller_trials_cc: 0,
      reseller_paid: 1,
    });
  });

  it('stats count the licenses of referred partners', async () => {
    const referred = await Promise.all([buildPartner(test), buildPartner(test)]);
    const scope = partnerScope(test, partner.id);
    const createdAt = scope.now();
    await scope
      .insert(
        'referredPartners',
        referred.map(({ id }) => ({ referredId: id, createdAt })),
      )
      .execute();
    await bring(referred[0].id, { card: true });
    await setStatus(await bring(referred[0].id), 'active');
    expect((await call('GET', '/stats')).body.affiliate.partner_program).toEqual({
      trials: 1,
      trials_cc: 1,
      paid: 1,
      partners_referred: 2,
    });
  });
});

describe('the earnings', () => {
  it('earnings are sums of the ledger', async () => {
    const day = (text: string) => ({ occurredAt: new Date(`${text}T12:00:00Z`) });
    await earn(test, partner, 1001);
    await earn(test, partner, 2002, { product: 'chatbot', ...day('2026-02-01') });
    await earn(test, partner, 3003, { product: 'helpdesk', ...day('2026-01-31') });
    await earn(test, partner, 404, { product: 'partner_program', program: 'solution' });
    await earn(test, partner, 505, { program: 'solution', ...day('2025-01-01') });
    await earn(test, partner, -1, { kind: 'reversal' });
    await earn(test, await buildPartner(test), 77_777);
    const earned = (commission_total: number, commission_last_30_days: number) => ({
      commission_total,
      commission_last_30_days,
    });
    const saved = { discount: 0 };
    expect((await call('GET', '/earnings')).body).toEqual({
      balance: 69.14,
      blocked: 0,
      ...earned(69.14, 34.06),
      withdrawals: 0,
      pending: 0,
      affiliate: {
        ...earned(64.09, 34.06),
        mainchat: earned(10, 10),
        chatbot: earned(20.02, 20.02),
        partner_program: earned(4.04, 4.04),
      },
      solution: {
        ...earned(5.05, 0),
        mainchat: { ...saved, ...earned(5.05, 0) },
        chatbot: { ...saved, ...earned(0, 0) },
      },
    });
    expect((await call('GET', '/earnings?shape=earlier')).body).toEqual({
      balance: 69.14,
      commission: 69.14,
      blocked: 0,
      withdrawals: 0,
      pending: 0,
      discount: 0,
    });
    expect((await call('GET', '/balance')).body).toEqual({
      pending: 0,
      withdrawn: 0,
      available: 69.14,
      total: '69.14',
    });
  });

  it('earnings may be negative', async () => {
    await earn(test, partner, -1250, { kind: 'reversal' });
    expect((await call('GET', '/balance')).body).toEqual({
      pending: 0,
      withdrawn: 0,
      available: -12.5,
      total: '-12.50',
    });
  });
});

const billing = {
  type: 'individual',
  company: 'Paula Partner',
  vat: 'PL123',
  address: 'Long Street 1',
  city: 'Warsaw',
  state: 'MZ',
  zip_code: '00-001',
  country: 'PL',
  payout_account: 'payout@partner.test',
};

describe('the billing details', () => {
  it('billing details are empty strings until they are set', async () => {
    const empty = Object.fromEntries(Object.keys(billing).map((field) => [field, '']));
    expect(await call('GET', '/billing')).toMatchObject({ status: 200, body: empty });
  });

  it.each([
    ['JSON', billing],
    ['a form', new URLSearchParams(billing).toString()],
  ])('billing details written as %s are read in both API shapes', async (_, body) => {
    expect(await call('PUT', '/billing', body)).toMatchObject({ status: 204, body: undefined });
    expect((await call('GET', '/billing')).body).toEqual(billing);
    const { state: _state, ...earlier } = billing;
    expect((await call('GET', '/affiliates/billing')).body).toEqual(earlier);
  });

  it('billing details that are left out are removed, except the state in the earlier shape', async () => {
    await call('PUT', '/billing', billing);
    const { state, vat, zip_code, ...required } = billing;
    expect(await call('PUT', '/affiliates/billing', { ...required, vat })).toMatchObject({ status: 200, body: {} });
    expect((await call('GET', '/billing')).body).toEqual({ ...billing, zip_code: '' });
    await call('PUT', '/billing', required);
    expect((await call('GET', '/billing')).body).toEqual({ ...required, state: '', vat: '', zip_code: '' });
  });

  it.each(['type', 'company', 'address', 'city', 'country', 'payout_account'])(
    'billing details require %s',
    async (field) => {
      const { [field as 'type']: _, ...rest } = billing;
      for (const path of ['/billing', '/affiliates/billing'])
        expect(await call('PUT', path, rest)).toMatchObject({
          status: 400,
          body: { error: { type: 'validation', details: [{ field }] } },
        });
    },
  );

  it.each([
    ['type', 'company'],
    ['country', 'Poland'],
    ['country', 'pl'],
    ['country', 'XX'],
    ['payout_account', 'nobody'],
    ['company', '  '],
    ['vat', 'x'.repeat(201)],
    ['city', '\u0000'],
  ])('billing details with the %s %j are rejected and change nothing', async (field, value) => {
    expect((await call('PUT', '/billing', { ...billing, [field]: value })).status).toBe(400);
    expect((await call('GET', '/billing')).body.city).toBe('');
  });
});

describe('the coupons', () => {
  const operate = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const response = await test.app.inject({
      method,
      url: `/operator/v1/partners/${path}`,
      headers: { authorization: `Bearer ${test.operatorToken}` },
      ...(body ? { payload: body } : {}),
    });
    return { status: response.statusCode, body: response.json() };
  };

  it('coupons come from the operator, and inactive ones are not listed', async () => {
    const path = `${partner.id}/coupons`;
    const created = await operate('POST', path, { label: '15% for a year', percent_off: 15 });
    expect(created).toMatchObject({ status: 201, body: { label: '15% for a year', percent_off: 15, active: true } });
    await operate('POST', path, { label: '$5 off', amount_off_cents: 500 });
    await operate('POST', path, { label: 'Not yet', amount_off_cents: 500, active: false });
    const labels = async () => (await call('GET', '/coupons')).body.result.map(({ label }: { label: string }) => label);
    expect(await labels()).toEqual(['15% for a year', '$5 off']);
    expect((await operate('PATCH', `${path}/${created.body.id}`, { active: false })).body.active).toBe(false);
    expect(await labels()).toEqual(['$5 off']);
    expect((await operate('GET', path)).body.coupons).toHaveLength(3);
    partner = await buildPartner(test);
    expect(await labels()).toEqual([]);
    expect((await operate('PATCH', `${partner.id}/coupons/${created.body.id}`, { active: true })).status).toBe(404);
  });

  it.each([
    [{ label: 'x' }],
    [{ label: 'x', percent_off: 10, amount_off_cents: 100 }],
    [{ label: 'x', percent_off: 0 }],
    [{ label: 'x', percent_off: 100.01 }],
    [{ label: 'x', amount_off_cents: 1.5 }],
    [{ percent_off: 10 }],
  ])('the coupon %j is rejected', async (body) =>
    expect((await operate('POST', `${partner.id}/coupons`, body)).status).toBe(400),
  );

  it('coupons require an existing partner', async () =>
    expect((await operate('POST', '999999999/coupons', { label: 'x', percent_off: 10 })).status).toBe(404));
});

describe('the password', () => {
  const change = (current_password: string, new_password: string) =>
    call('PUT', '/password', { current_password, new_password });

  it('changing the password requires the current one', async () => {
    expect(await change('a long password', 'sixsix')).toMatchObject({ status: 200, body: {} });
    expect(await change('a long password', 'other one')).toMatchObject({
      status: 403,
      body: { error: { type: 'forbidden' } },
    });
    expect((await change('sixsix', 'other one')).status).toBe(200);
  });

  it('a password has at least six characters', async () => {
    expect((await change('a long password', 'fives')).status).toBe(400);
    expect((await call('PUT', '/password', { current_password: 'a long password' })).status).toBe(400);
  });

  it('password attempts are limited', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const tried = await Promise.all(
      Array.from({ length: 14 }, () =>
        limited.app.inject({
          method: 'PUT',
          url: '/v2/partners/password',
          headers: { authorization: `Bearer ${partner.token}` },
          payload: { current_password: 'a guess', new_password: 'my own one' },
        }),
      ),
    );
    expect(tried.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(3);
  });
});

describe('withdrawals in their earlier shape', () => {
  it('withdrawals in the earlier shape have fewer fields', async () => {
    await call('PUT', '/affiliates/billing', billing);
    expect((await call('POST', '/affiliates/withdrawals')).status).toBe(403);
    await earn(test, partner, 5000);
    const { status, body } = await call('POST', '/affiliates/withdrawals');
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        request_timestamp: '2026-03-02 10:00:00',
        action_timestamp: '',
        status: 'pending',
        amount: 50,
        invoice_id: expect.any(String),
      },
    });
    expect((await call('GET', '/affiliates/withdrawals?date_from=2026-03-02')).body.result).toEqual([body]);
    expect((await call('GET', '/withdrawals')).body.result).toMatchObject([body]);
  });
});
