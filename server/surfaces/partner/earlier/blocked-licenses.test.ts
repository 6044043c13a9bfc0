import { beforeEach, describe, expect, it } from 'vitest';
import { addCycle } from '#server/domain/accounts/payments/billing-period.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { callOperator } from '#server/testing/builders/referrals.ts';
import {
  buildReseller,
  DAY_MS,
  DECLINED,
  GOOD,
  PASSWORD,
  type TestReseller,
} from '../../../testing/builders/reseller.ts';

const test = useTestApp();
let reseller: TestReseller;

beforeEach(async () => {
  reseller = await buildReseller(test);
});

const runJobs = () => test.context.background.scheduler.run('renew-subscriptions');

describe('a blocked license', () => {
  const operate = callOperator(() => test);
  const organizationOf = async (license: string): Promise<string> => {
    const { id } = await test.context.database.kysely
      .selectFrom('organizations')
      .where('licenseNumber', '=', Number(license))
      .select('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const setStatus = async (license: string, status: string) =>
    operate('PATCH', `/organizations/${await organizationOf(license)}`, { status });
  const block = (license: string) => setStatus(license, 'blocked');
  const pay = async (license: string, billing_cycle: string) =>
    operate('POST', `/organizations/${await organizationOf(license)}/payments`, {
      ...{ external_id: `paid ${license}`, product: 'mainchat', amount_cents: 49_000, currency: 'USD', billing_cycle },
    });
  const endOf = async (license: string): Promise<Date> => new Date(`${(await reseller.read(license)).end_timestamp}Z`);
  const periodEnd = async (): Promise<Date> => {
    const { periodEndsAt } = await test.context.database.kysely
      .selectFrom('subscriptions')
      .where('partnerId', '=', reseller.id)
      .select('periodEndsAt')
      .executeTakeFirstOrThrow();
    return periodEndsAt;
  };

  it('a blocked license stays blocked when its subscription ends, and cannot be subscribed', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    await block(license);
    expect((await reseller.close(license, { password: PASSWORD, expire: true })).status).toBe(200);
    expect((await reseller.read(license)).blocked).toBe(true);
    expect((await reseller.subscribe(license)).status).toBe(409);
    expect((await reseller.read(license)).blocked).toBe(true);
    expect(await reseller.charged()).toBe(7840);
  });

  it('subscribing a blocked license does not consume the card token', async () => {
    const { license } = await reseller.create();
    await block(license);
    const token: string = (await reseller.askToken(GOOD)).json().id;
    expect((await reseller.subscribe(license, { token })).status).toBe(409);
    await setStatus(license, 'trial');
    expect((await reseller.subscribe(license, { token })).status).toBe(201);
  });

  it('a blocked license is not charged for more seats', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    await block(license);
    expect((await reseller.change(license, { seats: 4 })).status).toBe(409);
    expect(await reseller.read(license)).toMatchObject({ blocked: true, seats: 2 });
    expect(await reseller.charged()).toBe(7840);
  });

  it('terms without a charge do not unblock a license', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license, { seats: 4 });
    await block(license);
    expect((await reseller.change(license, { seats: 2 })).status).toBe(200);
    expect(await reseller.read(license)).toMatchObject({ blocked: true, seats: 2 });
  });

  it('a blocked license is not charged and resumes without paying for the blocked time', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    await block(license);
    for (let months = 0; months < 3; months++) {
      test.clock.advance(32 * DAY_MS);
      await runJobs();
    }
    expect(await reseller.charged()).toBe(7840);
    expect(await reseller.read(license)).toMatchObject({ blocked: true, recurly: { subscriber: true } });
    await setStatus(license, 'active');
    await runJobs();
    await runJobs();
    expect(await reseller.charged()).toBe(2 * 7840);
    const { end_timestamp, ...renewed } = await reseller.read(license);
    expect(renewed).toMatchObject({ blocked: false, expired: false, paid: true });
    expect(Date.parse(`${end_timestamp}Z`)).toBeGreaterThan(test.clock.now().getTime() + 27 * DAY_MS);
  });

  it('a blocked license is not charged when an overdue card is replaced', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    await reseller.changeCard(license, DECLINED);
    test.clock.advance(32 * DAY_MS);
    await runJobs();
    await block(license);
    expect((await reseller.changeCard(license)).status).toBe(200);
    expect(await reseller.charged()).toBe(7840);
  });

  it.each(['blocked', 'active'])(
    'a license that was ended when %s is not charged and may be subscribed again',
    async (before) => {
      const { license } = await reseller.create();
      await reseller.subscribe(license);
      await setStatus(license, before);
      if (before === 'blocked') test.clock.advance(32 * DAY_MS);
      await setStatus(license, 'expired');
      test.clock.advance(32 * DAY_MS);
      await runJobs();
      expect(await reseller.charged()).toBe(7840);
      expect(await reseller.read(license)).toMatchObject({ expired: true, recurly: { subscriber: false } });
      expect((await reseller.subscribe(license)).status).toBe(201);
      expect(await reseller.read(license)).toMatchObject({ expired: false, paid: true });
    },
  );

  it.each([0, 100])('a license blocked for %i days keeps the time that the operator recorded', async (days) => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    await block(license);
    test.clock.advance(days * DAY_MS);
    const began = await periodEnd();
    await pay(license, 'monthly');
    expect(await endOf(license)).toEqual(addCycle(began, 'monthly'));
    const recorded = (await endOf(license)).getTime() - began.getTime();
    test.clock.advance(100 * DAY_MS);
    await setStatus(license, 'active');
    expect((await endOf(license)).getTime()).toBe((await periodEnd()).getTime() + recorded);
    await runJobs();
    expect(await reseller.charged()).toBe(2 * 7840);
    expect((await endOf(license)).getTime()).toBe((await periodEnd()).getTime() + recorded);
    expect((await periodEnd()).getTime()).toBeGreaterThan(test.clock.now().getTime() + 27 * DAY_MS);
  });
});
