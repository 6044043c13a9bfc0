import { beforeEach, describe, expect, it } from 'vitest';
import { addCycle } from '#server/domain/accounts/payments/billing-period.ts';
import { renewDue } from '#server/domain/partners/subscriptions/renew.ts';
import { noPayments } from '#server/ports/payments/payments.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { callOperator } from '#server/testing/builders/referrals.ts';
import { buildReseller, DAY_MS, endLicenses, LATE, type TestReseller } from '../../../testing/builders/reseller.ts';

const test = useTestApp();
let reseller: TestReseller;
let license: string;

beforeEach(async () => {
  reseller = await buildReseller(test);
  ({ license } = await reseller.create());
});

const runJobsAfter = async (ms: number) => {
  test.clock.advance(ms);
  await test.context.background.scheduler.run('renew-subscriptions');
};
/** Simulates a provider that never received the charge. */
const forgetCharges = () =>
  test.context.database.query({
    text: 'delete from sandbox_charges s using charges c where c.id::text = s.idempotency_key and c.partner_id = $1',
    values: [reseller.id],
  });
const statuses = async (): Promise<string[]> => {
  const rows = await test.context.database.kysely
    .selectFrom('charges')
    .where('partnerId', '=', reseller.id)
    .orderBy('createdAt')
    .select('status')
    .execute();
  return rows.map(({ status }) => status);
};

it('a charge is looked up after its idempotency key expired', async () => {
  expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
  await runJobsAfter(DAY_MS + 1000);
  expect(await reseller.read(license)).toMatchObject({ paid: true, recurly: { subscriber: true } });
  expect(await reseller.charged()).toBe(7840);
  expect(await statuses()).toEqual(['succeeded']);
});

it('a charge that never happened is not repeated', async () => {
  expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
  await forgetCharges();
  await runJobsAfter(DAY_MS + 1000);
  expect(await reseller.charged()).toBe(0);
  expect(await statuses()).toEqual(['declined']);
  expect((await reseller.read(license)).recurly.subscriber).toBe(false);
  expect((await reseller.subscribe(license)).status).toBe(201);
  expect(await reseller.charged()).toBe(7840);
});

it('an open charge is neither repeated nor closed in the last hour of its idempotency key', async () => {
  expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
  await forgetCharges();
  await runJobsAfter(DAY_MS - 60_000);
  expect(await reseller.charged()).toBe(0);
  expect(await statuses()).toEqual(['open']);
});

it('a renewal that was never charged is retried like a declined one', async () => {
  await reseller.subscribe(license);
  await reseller.changeCard(license, LATE);
  await runJobsAfter(32 * DAY_MS);
  await forgetCharges();
  await runJobsAfter(DAY_MS + 1000);
  expect(await statuses()).toEqual(['succeeded', 'declined']);
  expect(await reseller.read(license)).toMatchObject({ expired: false, recurly: { recurrent: true } });
  expect(await reseller.charged()).toBe(0);
  await reseller.changeCard(license);
  expect(await statuses()).toEqual(['succeeded', 'declined', 'succeeded']);
  expect(await reseller.charged()).toBe(7840);
});

describe('while the provider does not answer', () => {
  const runJobsAlone = async (ms: number) => {
    test.clock.advance(ms);
    const { services } = test.context;
    await renewDue({ ...services, partners: { ...services.partners, payments: noPayments } }, () => {});
    await endLicenses(test);
    await test.runDueJobs();
  };
  const setStatus = async (status: string) => {
    const { id } = await test.context.database.kysely
      .selectFrom('organizations')
      .where('licenseNumber', '=', Number(license))
      .select('id')
      .executeTakeFirstOrThrow();
    await callOperator(() => test)('PATCH', `/organizations/${id}`, { status });
  };
  const leaveRenewal = async () => {
    await reseller.subscribe(license);
    await reseller.changeCard(license, LATE);
    await runJobsAfter(32 * DAY_MS);
    expect(await statuses()).toEqual(['succeeded', 'open']);
  };
  const ended = { expired: true, recurly: { subscriber: false } };

  it('a license stays active while its renewal is retried, and an uncertain charge is not repeated', async () => {
    await leaveRenewal();
    await runJobsAlone(7 * DAY_MS - 60_000);
    expect((await reseller.read(license)).expired).toBe(false);
    await runJobsAlone(60_000);
    expect(await reseller.read(license)).toMatchObject(ended);
    const mails = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === reseller.login);
    expect(mails.filter(({ mail }) => mail.subject === 'Subscription canceled: payment failed')).toHaveLength(1);
    expect((await reseller.subscribe(license)).status).toBe(409);
    expect(await reseller.charged()).toBe(2 * 7840);
  });

  it('a charge that succeeded late extends the license without renewing it', async () => {
    await leaveRenewal();
    const { end_timestamp } = await reseller.read(license);
    await runJobsAlone(8 * DAY_MS);
    await runJobsAfter(1000);
    expect(await statuses()).toEqual(['succeeded', 'succeeded']);
    const { end_timestamp: until, ...renewed } = await reseller.read(license);
    expect(renewed).toMatchObject({ expired: false, paid: true, recurly: { recurrent: false } });
    expect(new Date(`${until}Z`)).toEqual(addCycle(new Date(`${end_timestamp}Z`), 'monthly'));
    await runJobsAfter(32 * DAY_MS);
    await endLicenses(test);
    expect((await reseller.read(license)).expired).toBe(true);
    expect(await reseller.charged()).toBe(2 * 7840);
  });

  it('a declined charge changes nothing', async () => {
    await leaveRenewal();
    await runJobsAlone(8 * DAY_MS);
    await forgetCharges();
    await runJobsAfter(1000);
    expect(await statuses()).toEqual(['succeeded', 'declined']);
    expect(await reseller.read(license)).toMatchObject(ended);
    expect((await reseller.subscribe(license)).status).toBe(201);
  });

  it('a change with an unknown result is not repeated either', async () => {
    await reseller.subscribe(license);
    await reseller.changeCard(license, LATE);
    expect((await reseller.change(license, { seats: 4 })).status).toBe(503);
    await runJobsAlone(32 * DAY_MS);
    expect((await reseller.read(license)).expired).toBe(false);
    await runJobsAlone(7 * DAY_MS);
    expect(await reseller.read(license)).toMatchObject(ended);
  });

  it('the operator can end the license meanwhile, and a change does not extend it twice', async () => {
    await reseller.subscribe(license);
    const { end_timestamp } = await reseller.read(license);
    await reseller.changeCard(license, LATE);
    expect((await reseller.change(license, { seats: 4 })).status).toBe(503);
    await setStatus('expired');
    expect(await reseller.read(license)).toMatchObject(ended);
    await runJobsAfter(61_000);
    expect(await reseller.read(license)).toMatchObject({ end_timestamp, seats: 4, recurly: { recurrent: false } });
  });
});
