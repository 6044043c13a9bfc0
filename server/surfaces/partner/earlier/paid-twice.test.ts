import { beforeEach, expect, it } from 'vitest';
import { addCycle } from '#server/domain/accounts/payments/billing-period.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { callOperator } from '#server/testing/builders/referrals.ts';
import {
  buildReseller,
  DAY_MS,
  DECLINED,
  endLicenses,
  PASSWORD,
  type TestReseller,
} from '../../../testing/builders/reseller.ts';

const test = useTestApp();
let reseller: TestReseller;
let license: string;

beforeEach(async () => {
  reseller = await buildReseller(test);
  ({ license } = await reseller.create());
  await reseller.subscribe(license);
});

const endOf = async (): Promise<number> => Date.parse(`${(await reseller.read(license)).end_timestamp}Z`);

/** The operator records a payment for a year; returns its duration. */
const payYear = async (): Promise<number> => {
  const { id } = await test.context.database.kysely
    .selectFrom('organizations')
    .where('licenseNumber', '=', Number(license))
    .select('id')
    .executeTakeFirstOrThrow();
  const before = await endOf();
  const payment = { product: 'mainchat', amount_cents: 49_000, currency: 'USD', billing_cycle: 'annual' };
  await callOperator(() => test)('POST', `/organizations/${id}/payments`, {
    external_id: `year ${license}`,
    ...payment,
  });
  return (await endOf()) - before;
};
const runJobs = async () => {
  await test.context.background.scheduler.run('renew-subscriptions');
  await endLicenses(test);
};
const renewLater = async () => {
  test.clock.advance(32 * DAY_MS);
  await runJobs();
};
/** The end of the time that the subscription alone pays for. */
const periodEnd = async (): Promise<number> => {
  const { periodEndsAt } = await test.context.database.kysely
    .selectFrom('subscriptions')
    .where('partnerId', '=', reseller.id)
    .select('periodEndsAt')
    .executeTakeFirstOrThrow();
  return periodEndsAt.getTime();
};

it("a renewal and an operator's payment both extend the license", async () => {
  const year = await payYear();
  expect(await endOf()).toBe((await periodEnd()) + year);
  await renewLater();
  expect(await reseller.invoices(license)).toHaveLength(3);
  expect(await endOf()).toBe((await periodEnd()) + year);
});

it.each([{ seats: 4 }, { billing_cycle: 'annual' }, { plan: 'business', billing_cycle: 'annual' }])(
  'a change to %j keeps the time that the operator recorded',
  async (terms) => {
    const year = await payYear();
    expect((await reseller.change(license, terms)).status).toBe(200);
    expect(await endOf()).toBe((await periodEnd()) + year);
  },
);

it("changing to the shorter cycle credits the longer period and keeps the operator's time", async () => {
  await reseller.change(license, { billing_cycle: 'annual' });
  const year = await payYear();
  await reseller.change(license, { billing_cycle: 'monthly' });
  expect(await endOf()).toBe((await periodEnd()) + year);
  expect((await periodEnd()) - test.clock.now().getTime()).toBeLessThan(32 * DAY_MS);
});

it("after the last renewal attempt a license lasts as long as the operator's payments", async () => {
  await payYear();
  const until = await endOf();
  await reseller.changeCard(license, DECLINED);
  await renewLater();
  for (const days of [1, 2, 2, 2]) {
    test.clock.advance(days * DAY_MS + 1000);
    await runJobs();
  }
  expect(await reseller.read(license)).toMatchObject({ paid: true, expired: false, recurly: { subscriber: false } });
  expect(await endOf()).toBe(until);
});

it("a license whose overdue subscription is closed lasts as long as the operator's payments", async () => {
  await payYear();
  const until = await endOf();
  await reseller.changeCard(license, DECLINED);
  await renewLater();
  expect((await reseller.close(license)).status).toBe(200);
  expect((await reseller.read(license)).expired).toBe(false);
  expect(await endOf()).toBe(until);
});

it('a new subscription is used up before the time that the operator recorded', async () => {
  await reseller.close(license, { password: PASSWORD, expire: true });
  const year = await payYear();
  expect((await reseller.subscribe(license)).status).toBe(201);
  expect(await endOf()).toBe((await periodEnd()) + year);
});

it('changing the cycle keeps the time before a period that has not started', async () => {
  await payYear();
  const before = await endOf();
  await reseller.close(license);
  expect((await reseller.subscribe(license)).status).toBe(201);
  expect((await reseller.change(license, { billing_cycle: 'annual' })).status).toBe(200);
  expect((await endOf()) - (await periodEnd())).toBe(before - test.clock.now().getTime());
});

it('refunding a later year keeps the paid year', async () => {
  await reseller.change(license, { billing_cycle: 'annual' });
  const year = (await endOf()) - test.clock.now().getTime();
  await reseller.close(license);
  await reseller.subscribe(license, { billing_cycle: 'annual' });
  expect((await reseller.change(license, { billing_cycle: 'monthly' })).status).toBe(200);
  expect((await endOf()) - (await periodEnd())).toBe(year);
});

it('a payment recorded by the operator does not pay an overdue period', async () => {
  await reseller.changeCard(license, DECLINED);
  await renewLater();
  test.clock.advance(DAY_MS / 2);
  const owedSince = await periodEnd();
  await payYear();
  expect(new Date(await endOf())).toEqual(addCycle(new Date(owedSince), 'annual'));
  const year = (await endOf()) - owedSince;
  expect((await reseller.changeCard(license)).status).toBe(200);
  expect(await endOf()).toBe((await periodEnd()) + year);
});
