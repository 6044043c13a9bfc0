import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, buildPartner } from '#server/testing/builders/factories.ts';
import { earn, partnerScope } from '#server/testing/builders/ledger.ts';
import { buildReferredPartner, callOperator, refer } from '#server/testing/builders/referrals.ts';

const DAY_MS = 24 * 3600 * 1000;

const test = useTestApp();
let partner: { id: number; login: string };
beforeEach(async () => {
  partner = await buildPartner(test);
});

const send = callOperator(() => test);
const change = (body: object, id: number | string = partner.id) => send('PATCH', `/partners/${id}`, body);
const inDays = (days: number) => new Date(test.clock.now().getTime() + days * DAY_MS);
const iso = (date: Date) => date.toISOString().replace('Z', '000Z');

describe('the operator', () => {
  it('the operator reads one partner and pages through all', async () => {
    await earn(test, partner, 12_345);
    const referred = await buildReferredPartner(test, partner);
    const seen = await send('GET', `/partners/${partner.id}`);
    expect(seen).toEqual({
      status: 200,
      body: {
        ...{ partner_id: String(partner.id), login: partner.login, first_name: 'Paula', last_name: 'Partner' },
        ...{ contact_name: 'Paula Partner', contact_email: partner.login, solution_status: 'approved', blocked: false },
        created_at: iso(test.clock.now()),
        balance: { available_cents: 12_345, held_cents: 0, pending_cents: 0, withdrawn_cents: 0 },
        commission: { percent: 20, rule: 'programme' },
        discount: { percent: 20, rule: 'programme' },
        second_tier: { percent: 5, rule: 'programme' },
      },
    });
    const found: Record<string, unknown>[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { body } = await send('GET', `/partners?limit=1&after=${after}`);
      found.push(...body.partners);
      after = body.next;
    }
    expect(new Set(found.map(({ partner_id }) => partner_id)).size).toBe(found.length);
    expect(found.at(-1)).toMatchObject({ partner_id: String(referred.id), referred_by: String(partner.id) });
    expect(JSON.stringify(found)).not.toContain('hash');
    for (const id of ['999999999', '0', 'x', '1e3'])
      expect((await send('GET', `/partners/${id}`)).status).not.toBe(200);
    expect((await send('GET', '/partners/999999999')).status).toBe(404);
  });

  it('the operator sets the referrer of a new partner', async () => {
    const { id } = await buildReferredPartner(test, partner);
    const rows = await partnerScope(test, partner.id).from('referredPartners').selectAll().execute();
    expect(rows).toMatchObject([{ referredId: id, campaignId: null, createdAt: test.clock.now() }]);
  });

  it('the operator changes only the given fields', async () => {
    expect((await change({ solution_status: 'active' })).body).toMatchObject({
      solution_status: 'active',
      blocked: false,
    });
    expect((await change({ blocked: true })).body).toMatchObject({ solution_status: 'active', blocked: true });
    expect((await change({})).body).toMatchObject({ solution_status: 'active', blocked: true });
  });

  it('the operator sets percents of a partner with and without an end', async () => {
    const { body } = await change({
      ...{ commission_percent: 33.33, commission_ends_at: inDays(10).toISOString() },
      ...{ discount_percent: 40, second_tier_percent: 0 },
    });
    expect(body).toMatchObject({
      commission: { percent: 33.33, rule: 'partner', ends_at: iso(inDays(10)) },
      discount: { percent: 40, rule: 'partner' },
      second_tier: { percent: 0, rule: 'partner' },
    });
    expect(body.discount.ends_at).toBeUndefined();
    test.clock.advance(10 * DAY_MS);
    expect((await send('GET', `/partners/${partner.id}`)).body.commission).toEqual({ percent: 20, rule: 'programme' });
    const other = await buildPartner(test);
    expect((await send('GET', `/partners/${other.id}`)).body.discount.percent).toBe(20);
  });

  it.each([
    { commission_percent: 101 },
    { commission_percent: -1 },
    { commission_percent: 1.005 },
    { commission_percent: '20' },
    { commission_ends_at: '2030-01-01T00:00:00Z' },
    { commission_percent: 20, commission_ends_at: '2020-01-01T00:00:00Z' },
    { commission_percent: 20, commission_ends_at: '2016-12-31T23:59:60Z' },
    { blocked: 'yes' },
    { solution_status: '' },
  ])('the change %j is rejected as a whole', async (body) => {
    const { body: before } = await send('GET', `/partners/${partner.id}`);
    expect((await change({ solution_status: 'changed', ...body })).status).toBe(400);
    expect((await send('GET', `/partners/${partner.id}`)).body).toEqual(before);
  });
});

describe('rates', () => {
  const campaignOf = async ({ id }: { id: number }) =>
    (await partnerScope(test, id).from('campaigns').select('id').limit(1).executeTakeFirstOrThrow()).id;
  const paid = async (campaignId: number) => {
    const organization = await buildOrganization(test);
    await refer(test, partner, organization, { campaignId });
    const { body } = await send('POST', `/organizations/${organization.id}/payments`, {
      ...{ external_id: `pay-${organization.id}`, product: 'mainchat', amount_cents: 10_000, currency: 'usd' },
    });
    return body.outcome[0];
  };

  it('the most specific rate applies until it ends', async () => {
    const campaign_id = await campaignOf(partner);
    const partner_id = String(partner.id);
    const rate = { kind: 'commission', partner_id };
    await send('POST', '/rates', { ...rate, percent: 21 });
    expect(await paid(campaign_id)).toMatchObject({ commission_cents: 2100, because: 'partner' });
    await send('POST', '/rates', { ...rate, product: 'mainchat', percent: 22 });
    expect(await paid(campaign_id)).toMatchObject({ commission_cents: 2200, because: 'partner_product' });
    const { status, body } = await send('POST', '/rates', { ...rate, campaign_id, percent: 23.5 });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...{ id: expect.any(Number), kind: 'commission', partner_id, campaign_id, percent: 23.5 },
        ...{ starts_at: iso(test.clock.now()), created_at: iso(test.clock.now()) },
      },
    });
    expect(await paid(campaign_id)).toMatchObject({ commission_cents: 2350, because: 'campaign', rate_id: body.id });
    test.clock.advance(1);
    expect((await send('DELETE', `/rates/${body.id}`)).status).toBe(204);
    expect((await send('DELETE', `/rates/${body.id}`)).status).toBe(404);
    expect(await paid(campaign_id)).toMatchObject({ commission_cents: 2200 });
    const { body: listed } = await send('GET', `/rates?partner_id=${partner_id}`);
    expect(listed.rates).toMatchObject([{ percent: 21 }, { percent: 22 }, { ends_at: iso(test.clock.now()) }]);
  });

  it('rates that have not started are removed', async () => {
    const starts_at = inDays(5).toISOString();
    const { body } = await send('POST', '/rates', {
      ...{ kind: 'commission', partner_id: String(partner.id), percent: 90, starts_at },
    });
    expect(await paid(await campaignOf(partner))).toMatchObject({ commission_cents: 2000 });
    await send('DELETE', `/rates/${body.id}`);
    expect((await send('GET', `/rates?partner_id=${partner.id}`)).body.rates).toEqual([]);
  });

  it('the initial rates of the program are listed without a start', async () => {
    const { body } = await send('GET', '/rates?limit=4');
    expect(body.rates).toMatchObject([
      { kind: 'commission', program: 'affiliate', percent: 20 },
      { kind: 'commission', program: 'solution', percent: 0 },
      { kind: 'second_tier', percent: 5 },
      { kind: 'discount', program: 'solution', percent: 20 },
    ]);
    expect(body.rates[0]).not.toHaveProperty('starts_at');
  });

  it('rates for unknown partners or campaigns are rejected', async () => {
    const other = await buildPartner(test);
    const campaign_id = await campaignOf(other);
    const partner_id = String(partner.id);
    for (const body of [
      { kind: 'commission', percent: 1, campaign_id },
      { kind: 'commission', percent: 1, campaign_id, partner_id },
      { kind: 'commission', percent: 1, partner_id: '999999999' },
      { kind: 'commission', percent: 0.001, partner_id },
      { kind: 'gift', percent: 1, partner_id },
      { kind: 'commission', partner_id },
      {
        kind: 'commission',
        percent: 1,
        partner_id,
        starts_at: '2030-01-01T00:00:00Z',
        ends_at: '2029-01-01T00:00:00Z',
      },
    ])
      expect((await send('POST', '/rates', body)).status).toBe(400);
    expect((await send('GET', `/rates?partner_id=${partner_id}`)).body.rates).toEqual([]);
    expect((await send('DELETE', '/rates/999999999')).status).toBe(404);
  });
});

describe('prices', () => {
  it('prices are set by plan and cycle, and others stay unchanged', async () => {
    const before = (await send('GET', '/prices')).body.prices;
    expect(before).toHaveLength(6);
    const price = { plan: 'enterprise', billing_cycle: 'monthly', seat_cents: 9900 };
    const { body } = await send('PUT', '/prices', {
      prices: [{ ...price, seat_cents: 1 }, price, { plan: 'starter', billing_cycle: 'monthly', seat_cents: 2500 }],
    });
    expect(body.prices).toHaveLength(7);
    expect(body.prices).toContainEqual(price);
    expect(body.prices).toContainEqual({ plan: 'starter', billing_cycle: 'monthly', seat_cents: 2500 });
    expect((await send('GET', '/prices')).body).toEqual(body);
    for (const prices of [[], [{ ...price, seat_cents: -1 }], [{ ...price, plan: 'free' }], undefined])
      expect((await send('PUT', '/prices', { prices })).status).toBe(400);
  });
});

describe('coupons', () => {
  const give = async (percent_off: number) =>
    send('POST', `/partners/${(await buildPartner(test)).id}/coupons`, { label: 'Less', percent_off });

  it.each([0.01, 0.07, 0.29, 19.99, 33.33, 100])('a coupon of %d percent is accepted', async (percent) =>
    expect(await give(percent)).toMatchObject({ status: 201, body: { percent_off: percent } }),
  );

  it('a coupon percent has at most two decimals', async () =>
    expect(await give(19.995)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'percent_off' }] } },
    }));
});
