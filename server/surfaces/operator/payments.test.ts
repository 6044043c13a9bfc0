import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { readBalances } from '#server/domain/partners/ledger/balances.ts';
import { post } from '#server/domain/partners/ledger/post.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  buildPartner,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { partnerScope } from '#server/testing/builders/ledger.ts';
import { buildReferredPartner, callOperator, refer } from '#server/testing/builders/referrals.ts';
import { callAs } from '#server/testing/http/call-customer.ts';

const DAY_MS = 24 * 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let referrer: { id: number };
let partner: { id: number; login: string };

beforeEach(async () => {
  organization = await buildOrganization(test);
  referrer = await buildPartner(test);
  partner = await buildReferredPartner(test, referrer);
  await refer(test, partner, organization);
});

const send = callOperator(() => test);
const payment = (more: object = {}) => ({
  external_id: `pay-${randomUUID()}`,
  product: 'mainchat',
  amount_cents: 4900,
  currency: 'USD',
  ...more,
});
const pay = (body: object = payment(), id = organization.id) => send('POST', `/organizations/${id}/payments`, body);
const refund = (paymentId: string, body: object) =>
  send('POST', `/payments/${encodeURIComponent(paymentId)}/refunds`, body);
const balancesOf = ({ id }: { id: number }) => readBalances(partnerScope(test, id));
const available = async (who: { id: number }) => (await balancesOf(who)).available;
const license = async () => (await send('GET', `/organizations/${organization.id}`)).body;
const referred = () =>
  partnerScope(test, partner.id)
    .from('referredLicenses')
    .where('organizationId', '=', organization.id)
    .selectAll()
    .executeTakeFirstOrThrow();
const iso = (date: Date) => date.toISOString().replace('Z', '000Z');

describe('a payment', () => {
  it('a payment records what each partner earned and why', async () => {
    const input = payment({ plan: 'business', billing_cycle: 'annual', seats: 3 });
    const { status, body } = await pay(input);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...input,
      organization_id: organization.id,
      source: 'operator',
      paid_at: iso(test.clock.now()),
      recorded_at: iso(test.clock.now()),
      outcome: [
        {
          ...{ partner_id: String(partner.id), tier: 1, commission_cents: 980, percent: 20 },
          ...{ because: 'programme', rate_id: expect.any(Number) },
        },
        {
          ...{ partner_id: String(referrer.id), tier: 2, commission_cents: 245, percent: 5 },
          ...{ because: 'programme', rate_id: expect.any(Number) },
        },
      ],
    });
    expect(await balancesOf(partner)).toMatchObject({ commission: -980, available: 980 });
    expect(await balancesOf(referrer)).toMatchObject({ commission: -245, available: 245 });
    const booked = await partnerScope(test, referrer.id).from('ledgerTransactions').selectAll().executeTakeFirst();
    expect(booked).toMatchObject({ product: 'partner_program', licenseProduct: 'mainchat', program: 'affiliate' });
  });

  it('a payment of zero extends the license without conversion or commission', async () => {
    expect((await pay(payment({ amount_cents: 0 }))).status).toBe(201);
    expect(await license()).toMatchObject({ status: 'active' });
    expect(await referred()).toMatchObject({ convertedAt: null, cardAddedAt: null });
    expect(await balancesOf(partner)).toMatchObject({ commission: 0, available: 0 });
    const later = payment();
    await pay(later);
    expect((await referred()).convertedAt).toEqual(test.clock.now());
  });

  it('a payment activates the license with its plan and seats', async () => {
    const call = callAs(test, organization, await buildCustomer(organization));
    await send('PATCH', `/organizations/${organization.id}`, { status: 'expired' });
    expect((await call('list_chats', {})).status).toBe(402);
    await pay(payment({ plan: 'business', seats: 7 }));
    expect(await license()).toMatchObject({
      ...{ status: 'active', plan: 'business', seats: 7 },
      paid_until: '2026-04-02T10:00:00.000000Z',
    });
    expect((await call('list_chats', {})).status).toBe(200);
    const now = test.clock.now();
    expect(await referred()).toMatchObject({ status: 'active', convertedAt: now, cardAddedAt: now });
  });

  it('a payment extends the paid time, and the earliest payment is the conversion', async () => {
    const paid_at = new Date(test.clock.now().getTime() - 10 * DAY_MS).toISOString();
    await pay();
    await pay(payment({ billing_cycle: 'annual' }));
    expect((await license()).paid_until).toBe('2027-04-02T10:00:00.000000Z');
    await pay(payment({ paid_at }));
    expect((await license()).paid_until).toBe('2027-05-02T10:00:00.000000Z');
    expect((await referred()).convertedAt).toEqual(new Date(paid_at));
  });

  it('a payment for a past time does not activate the license', async () => {
    const paid_at = new Date(test.clock.now().getTime() - 90 * DAY_MS).toISOString();
    expect((await pay(payment({ paid_at }))).status).toBe(201);
    expect(await license()).toMatchObject({ status: 'trial' });
    expect(await available(partner)).toBe(980);
    await send('PATCH', `/organizations/${organization.id}`, { status: 'active' });
    await pay(payment({ paid_at }));
    await test.context.background.scheduler.run('end-licenses');
    expect(await license()).toMatchObject({ status: 'active' });
  });

  it('a repeated request returns the first record, also under concurrency', async () => {
    const input = payment();
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body);
    expect(await available(partner)).toBe(980);
    expect(await available(referrer)).toBe(245);
    expect((await license()).paid_until).toBe('2026-04-02T10:00:00.000000Z');
  });

  it('an external id of another record is rejected', async () => {
    const input = payment();
    const other = await buildOrganization(test);
    const [one, two] = await Promise.all([pay(input), pay(input, other.id)]);
    expect([one.status, two.status].sort()).toEqual([201, 409]);
    const id = one.status === 201 ? organization.id : other.id;
    expect((await pay({ ...input, amount_cents: 4901 }, id)).status).toBe(409);
    expect((await pay({ ...input, product: 'chatbot' }, id)).status).toBe(409);
  });

  it.each<[string, object, string]>([
    ['another currency', { currency: 'EUR' }, 'currency'],
    ['a time in the future', { paid_at: '2026-03-03T10:00:00Z' }, 'paid_at'],
    ['a second that does not exist', { paid_at: '2016-12-31T23:59:60Z' }, 'paid_at'],
    ['the year 0', { paid_at: '0000-01-01T00:00:00Z' }, 'paid_at'],
    ['a negative amount', { amount_cents: -1 }, 'amount_cents'],
    ['half a cent', { amount_cents: 0.5 }, 'amount_cents'],
    ['an amount above the limit', { amount_cents: 1e13 }, 'amount_cents'],
    ['an empty external id', { external_id: '' }, 'external_id'],
    ['a line break in the external id', { external_id: 'a\nb' }, 'external_id'],
    ['an unknown product', { product: 'partner_program' }, 'product'],
    ['an unknown cycle', { billing_cycle: 'weekly' }, 'billing_cycle'],
  ])('a payment with %s is rejected', async (_, more, field) => {
    expect(await pay(payment(more))).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
    expect(await available(partner)).toBe(0);
  });

  it('a payment requires an existing organization', async () => {
    expect((await pay(payment(), randomUUID())).status).toBe(404);
    expect((await pay(payment(), 'nobody')).status).toBe(404);
  });

  it('a payment of a license without a referral has no outcome', async () => {
    const other = await buildOrganization(test);
    expect((await pay(payment(), other.id)).body.outcome).toEqual([]);
  });
});

describe('exceptions from commission', () => {
  const outcomes = async () => (await pay()).body.outcome;

  it('a partner who is blocked at the time of the payment earns nothing, while the other tier does', async () => {
    await send('PATCH', `/partners/${partner.id}`, { blocked: true });
    expect(await outcomes()).toMatchObject([
      { tier: 1, commission_cents: 0, because: 'partner_blocked' },
      { tier: 2, commission_cents: 245 },
    ]);
    await send('PATCH', `/partners/${partner.id}`, { blocked: false });
    await send('PATCH', `/partners/${referrer.id}`, { blocked: true });
    expect(await outcomes()).toMatchObject([
      { tier: 1, commission_cents: 980 },
      { tier: 2, commission_cents: 0, because: 'partner_blocked' },
    ]);
  });

  it.each(['its contact', 'its payout account'])(
    'a partner who owns the license, recognized by %s, earns nothing',
    async (how) => {
      const address = organization.owner.login.toUpperCase();
      const scope = partnerScope(test, partner.id);
      if (how === 'its contact')
        await scope.db.updateTable('partners').where('id', '=', partner.id).set({ contactEmail: address }).execute();
      else
        await scope
          .insert('partnerBilling', {
            ...{ type: 'individual', company: 'P', address: 'A', city: 'C', country: 'PL' },
            ...{ payoutAccount: address, updatedAt: scope.now() },
          })
          .execute();
      expect(await outcomes()).toMatchObject([{ tier: 1, commission_cents: 0, because: 'own_licence' }, { tier: 2 }]);
      expect(await available(partner)).toBe(0);
    },
  );

  it('a reseller earns nothing unless a rate says so', async () => {
    const other = await buildOrganization(test);
    await refer(test, partner, other, { program: 'solution' });
    const earned = async () => (await pay(payment(), other.id)).body.outcome;
    expect(await earned()).toMatchObject([
      { tier: 1, commission_cents: 0, percent: 0, because: 'programme' },
      { tier: 2, commission_cents: 245 },
    ]);
    await send('POST', '/rates', {
      ...{ kind: 'commission', program: 'solution', percent: 7.5 },
      partner_id: String(partner.id),
    });
    expect(await earned()).toMatchObject([{ commission_cents: 368, percent: 7.5, because: 'partner' }, {}]);
  });
});

describe('a refund', () => {
  it('a refund reverses the same share of every commission', async () => {
    const { body } = await pay();
    const answer = await refund(body.external_id, { external_id: `${body.external_id}-r`, amount_cents: 2450 });
    expect(answer).toEqual({
      status: 201,
      body: {
        ...{ status: 'applied', external_id: `${body.external_id}-r`, payment_external_id: body.external_id },
        ...{ amount_cents: 2450, kind: 'refund' },
        ...{ recorded_at: iso(test.clock.now()), applied_at: iso(test.clock.now()) },
      },
    });
    expect(await balancesOf(partner)).toMatchObject({ commission: -490, available: 490 });
    expect(await available(referrer)).toBe(122);
  });

  it('many partial refunds reverse the same as one', async () => {
    const { external_id } = (await pay(payment({ amount_cents: 1000 }))).body;
    for (let cents = 0; cents < 1000; cents += 125)
      await refund(external_id, { external_id: `${external_id}-${cents}`, amount_cents: 125, kind: 'chargeback' });
    expect(await balancesOf(partner)).toMatchObject({ commission: 0, available: 0 });
    expect(await balancesOf(referrer)).toMatchObject({ commission: 0, available: 0 });
  });

  it('a refund reverses the savings of a reseller', async () => {
    const { external_id } = (await pay()).body;
    await partnerScope(test, partner.id).transaction((tx) =>
      post(tx, {
        ...{ kind: 'discount', externalId: 'saved', organizationId: organization.id, paymentExternalId: external_id },
        ...{ occurredAt: tx.now(), entries: { discount: -1225, saved: 1225 } },
      }),
    );
    await refund(external_id, { external_id: `${external_id}-a`, amount_cents: 1000 });
    expect(await balancesOf(partner)).toMatchObject({ discount: -975, saved: 975 });
    await refund(external_id, { external_id: `${external_id}-b`, amount_cents: 3900 });
    expect(await balancesOf(partner)).toMatchObject({ discount: 0, saved: 0, available: 0 });
  });

  it('a repeated request returns the first record, also under concurrency', async () => {
    const { external_id } = (await pay()).body;
    const input = { external_id: `${external_id}-r`, amount_cents: 4900 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(external_id, input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(await available(partner)).toBe(0);
    expect((await refund(external_id, { ...input, amount_cents: 1 })).status).toBe(409);
    expect((await refund(external_id, { ...input, kind: 'chargeback' })).status).toBe(409);
    expect((await refund('another', input)).status).toBe(409);
  });

  it('refunds never exceed the payment, also under concurrency', async () => {
    const { external_id } = (await pay()).body;
    const ask = (name: string, amount_cents: number) =>
      refund(external_id, { external_id: `${external_id}-${name}`, amount_cents });
    expect(await ask('a', 4901)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'amount_cents' }] } },
    });
    const answers = await Promise.all(['b', 'c', 'd'].map((name) => ask(name, 2000)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400]);
    expect(await available(partner)).toBe(980 - 800);
    // A rejected refund is not stored, so a smaller one with the same id is accepted.
    expect((await ask('a', 900)).status).toBe(201);
    expect(await available(partner)).toBe(0);
  });

  it('a refund reported before its payment waits for it', async () => {
    const input = payment();
    const early = { external_id: `${input.external_id}-r`, amount_cents: 2450 };
    const waiting = await refund(input.external_id, early);
    expect(waiting).toMatchObject({ status: 202, body: { status: 'waiting' } });
    expect(await refund(input.external_id, early)).toMatchObject({ status: 200, body: { status: 'waiting' } });
    const tooMuch = { external_id: `${input.external_id}-s`, amount_cents: 4900 };
    expect((await refund(input.external_id, tooMuch)).status).toBe(202);
    test.clock.advance(1000);
    await pay(input);
    expect(await balancesOf(partner)).toMatchObject({ commission: -490, available: 490 });
    expect(await refund(input.external_id, early)).toMatchObject({ status: 200, body: { status: 'applied' } });
    expect(await refund(input.external_id, tooMuch)).toMatchObject({ status: 200, body: { status: 'waiting' } });
  });

  it('a refund and its payment may be reported concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const input = payment();
      await Promise.all([
        pay(input),
        refund(input.external_id, { external_id: `${input.external_id}-r`, amount_cents: 4900 }),
      ]);
      expect(await balancesOf(partner)).toMatchObject({ commission: 0, available: 0 });
    }
  });

  it('a refund makes the balance negative if it was withdrawn', async () => {
    const { external_id } = (await pay()).body;
    await partnerScope(test, partner.id).transaction(async (tx) => {
      const entries = { available: -980, withdrawn: 980 };
      await post(tx, { kind: 'payout', externalId: 'x', occurredAt: tx.now(), entries });
    });
    await refund(external_id, { external_id: `${external_id}-r`, amount_cents: 4900 });
    expect(await available(partner)).toBe(-980);
  });

  it.each([{ amount_cents: 0 }, { amount_cents: 1.5 }, { kind: 'gift' }, { external_id: ' ' }])(
    'a refund with %j is rejected',
    async (more) => {
      const { external_id } = (await pay()).body;
      const body = { external_id: `${external_id}-r`, amount_cents: 1, ...more };
      expect((await refund(external_id, body)).status).toBe(400);
    },
  );

  it('a refund finds payments with any external id', async () => {
    const { external_id } = (await pay(payment({ external_id: `Rechnung 1/ü ${randomUUID()}` }))).body;
    expect((await refund(external_id, { external_id: `${external_id}-r`, amount_cents: 4900 })).status).toBe(201);
    expect(await available(partner)).toBe(0);
  });
});

describe('a blocked license', () => {
  const change = (status: string) => send('PATCH', `/organizations/${organization.id}`, { status });

  it('commission of a blocked license is held until it is unblocked', async () => {
    const { external_id } = (await pay()).body;
    await change('blocked');
    expect(await balancesOf(partner)).toMatchObject({ commission: -980, available: 0, held: 980 });
    expect(await balancesOf(referrer)).toMatchObject({ available: 0, held: 245 });
    await change('blocked');
    await pay();
    expect(await license()).toMatchObject({ status: 'blocked' });
    expect(await balancesOf(partner)).toMatchObject({ commission: -1960, available: 0, held: 1960 });
    await refund(external_id, { external_id: `${external_id}-r`, amount_cents: 4900 });
    expect(await balancesOf(partner)).toMatchObject({ commission: -980, available: 0, held: 980 });
    await change('active');
    expect(await balancesOf(partner)).toMatchObject({ commission: -980, available: 980, held: 0 });
    await change('blocked');
    await change('expired');
    expect(await balancesOf(partner)).toMatchObject({ commission: -980, available: 980, held: 0 });
  });

  it('blocking and paying concurrently keeps the commission in one account', async () => {
    for (let round = 0; round < 3; round++) {
      await Promise.all([pay(), change('blocked'), pay(), change('blocked')]);
      const held = (round + 1) * 1960;
      expect(await balancesOf(partner)).toMatchObject({ commission: -held, available: 0, held });
      await Promise.all([change('active'), change('active')]);
      expect(await balancesOf(partner)).toMatchObject({ available: held, held: 0 });
    }
  });
});

describe('paid time', () => {
  const tick = () => test.context.background.scheduler.run('end-licenses');

  it('a license ends with its paid time, and a payment reactivates it', async () => {
    await pay();
    test.clock.advance(31 * DAY_MS - 1);
    await tick();
    expect((await license()).status).toBe('active');
    test.clock.advance(1);
    await tick();
    expect((await license()).status).toBe('expired');
    expect((await referred()).status).toBe('expired');
    await pay();
    expect((await license()).status).toBe('active');
  });

  it('a license that the operator activated without a payment does not end', async () => {
    await pay();
    test.clock.advance(40 * DAY_MS);
    await tick();
    await send('PATCH', `/organizations/${organization.id}`, { status: 'active' });
    test.clock.advance(400 * DAY_MS);
    await tick();
    expect(await license()).toMatchObject({ status: 'active' });
    expect((await license()).paid_until).toBeUndefined();
  });
});

describe('the list of payments', () => {
  it('the list of payments is paged and includes outcomes and refunds', async () => {
    const { body: first } = await pay();
    const { body: second } = await pay();
    await refund(first.external_id, { external_id: `${first.external_id}-r`, amount_cents: 100 });
    const path = `/organizations/${organization.id}/payments`;
    const { body } = await send('GET', `${path}?limit=1`);
    expect(body.payments).toEqual([
      { ...first, refunds: [expect.objectContaining({ amount_cents: 100, status: 'applied' })] },
    ]);
    const { body: rest } = await send('GET', `${path}?limit=1&after=${body.next}`);
    expect(rest).toEqual({ payments: [{ ...second, refunds: [] }] });
    expect((await send('GET', `/organizations/${randomUUID()}/payments`)).status).toBe(404);
    const other = await buildOrganization(test);
    expect((await send('GET', `/organizations/${other.id}/payments`)).body).toEqual({ payments: [] });
  });
});
