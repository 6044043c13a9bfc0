import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildReseller,
  DAY_MS,
  DECLINED,
  endLicenses,
  LATE,
  PASSWORD,
  type TestReseller,
} from '../../../testing/builders/reseller.ts';

const test = useTestApp();
let reseller: TestReseller;

beforeEach(async () => {
  reseller = await buildReseller(test);
});

const runJobs = async () => {
  await test.context.background.scheduler.run('renew-subscriptions');
  await test.runDueJobs();
};

describe('a subscription', () => {
  it('subscribing charges the discounted price and writes an invoice', async () => {
    const { license } = await reseller.create();
    expect(await reseller.subscribe(license)).toMatchObject({ status: 201, body: {} });
    expect(await reseller.read(license)).toMatchObject({
      paid: true,
      cc_added: true,
      seats: 2,
      plan: 'team',
      billing_cycle: 'monthly',
      total_discount: 19.6,
      recurly: { subscriber: true, in_trial: false, recurrent: true },
    });
    expect(await reseller.charged()).toBe(7840);
    expect(await reseller.invoices(license)).toMatchObject([
      {
        invoice_no: expect.any(Number),
        plan: 'team',
        billing_cycle: 'monthly',
        seats: 2,
        amount: 78.4,
        status: 'paid',
      },
    ]);
    expect((await reseller.call('GET', '/earnings')).body.solution.mainchat.discount).toBe(19.6);
    expect((await reseller.call('GET', '/active-licenses')).body).toMatchObject({
      reseller_trials: 0,
      reseller_paid: 1,
    });
    expect((await reseller.subscribe(license)).status).toBe(409);
  });

  it('concurrent requests start a subscription once', async () => {
    const { license } = await reseller.create();
    const answers = await Promise.all([
      reseller.subscribe(license),
      reseller.subscribe(license),
      reseller.subscribe(license),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await reseller.charged()).toBe(7840);
  });

  it('subscribing requires a token of a chargeable card', async () => {
    const { license } = await reseller.create();
    expect(await reseller.subscribe(license, { token: 'none' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
    const declined = await reseller.subscribe(license, {}, DECLINED);
    expect(declined).toMatchObject({ status: 400, body: { error: { details: [{ field: 'token' }] } } });
    expect(declined.body.error.message).toContain('declined');
    expect(await reseller.read(license)).toMatchObject({ paid: false, recurly: { subscriber: false } });
    expect(await reseller.invoices(license)).toEqual([]);
    expect((await reseller.subscribe(license)).status).toBe(201);
  });

  it.each([
    { plan: 'enterprise' },
    { plan: 'x' },
    { billing_cycle: 'weekly' },
    { seats: 0 },
    { seats: 1.5 },
    { seats: 10_001 },
  ])('is rejected with %j', async (terms) => {
    const { license } = await reseller.create();
    expect((await reseller.subscribe(license, terms)).status).toBe(400);
    expect((await reseller.change(license, terms)).status).toBe(400);
  });

  it('a lost response of the provider does not charge twice', async () => {
    const { license } = await reseller.create();
    expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
    expect((await reseller.subscribe(license)).status).toBe(409);
    test.clock.advance(61_000);
    await runJobs();
    expect(await reseller.read(license)).toMatchObject({ paid: true, recurly: { subscriber: true } });
    expect(await reseller.charged()).toBe(7840);
    expect(await reseller.invoices(license)).toHaveLength(1);
  });

  it('an upgrade is charged for the rest of the period, a downgrade becomes credit', async () => {
    const { license } = await reseller.create();
    expect((await reseller.change(license)).status).toBe(409);
    await reseller.subscribe(license);
    expect((await reseller.change(license, { seats: 4 })).status).toBe(200);
    expect(await reseller.charged()).toBe(15_680);
    expect(await reseller.read(license)).toMatchObject({ seats: 4, total_discount: 39.2 });
    expect((await reseller.change(license, { seats: 2 })).status).toBe(200);
    expect(await reseller.charged()).toBe(15_680);
    expect(await reseller.read(license)).toMatchObject({ seats: 2, total_discount: 19.6 });
    expect((await reseller.change(license, { seats: 3 })).status).toBe(200);
    expect(await reseller.charged()).toBe(15_680);
    expect((await reseller.invoices(license)).map(({ amount }: { amount: number }) => amount)).toEqual([78.4, 78.4]);
  });

  it('another billing cycle starts a new period', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    expect((await reseller.change(license, { billing_cycle: 'annual' })).status).toBe(200);
    expect(await reseller.read(license)).toMatchObject({ billing_cycle: 'annual' });
    expect(await reseller.charged()).toBe(2 * 49_200 * 0.8);
  });

  it('a coupon reduces the charge', async () => {
    const { license } = await reseller.create();
    const { kysely } = test.context.database;
    const coupon = await kysely
      .insertInto('coupons')
      .values({ partnerId: reseller.id, label: 'Half', percentOff: 50, createdAt: test.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await kysely
      .updateTable('referredLicenses')
      .where('partnerId', '=', reseller.id)
      .set({ couponId: coupon.id })
      .execute();
    await reseller.subscribe(license);
    expect(await reseller.charged()).toBe(3920);
  });
});

describe('closing', () => {
  it('closing requires the password', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    expect(await reseller.close(license, { password: 'a guess' })).toMatchObject({
      status: 403,
      body: { error: { type: 'forbidden' } },
    });
    expect((await reseller.close(license, {})).status).toBe(400);
    expect((await reseller.read(license)).recurly.recurrent).toBe(true);
  });

  it('closing ends the subscription with its period', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    expect(await reseller.close(license)).toMatchObject({ status: 200, body: {} });
    expect(await reseller.read(license)).toMatchObject({ paid: true, recurly: { subscriber: true, recurrent: false } });
    expect((await reseller.close(license)).status).toBe(409);
    test.clock.advance(32 * DAY_MS);
    await runJobs();
    expect(await reseller.charged()).toBe(7840);
    await endLicenses(test);
    expect((await reseller.read(license)).expired).toBe(true);
  });

  it('closing with expire ends the license immediately', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    expect((await reseller.close(license, { password: PASSWORD, expire: true })).status).toBe(200);
    expect(await reseller.read(license)).toMatchObject({ paid: false, expired: true, recurly: { subscriber: false } });
    expect((await reseller.subscribe(license)).status).toBe(201);
    expect(await reseller.read(license)).toMatchObject({ paid: true, expired: false });
  });

  it('closing is rejected while a charge is in progress', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    await reseller.changeCard(license, LATE);
    expect((await reseller.change(license, { seats: 4 })).status).toBe(503);
    expect((await reseller.close(license)).status).toBe(409);
    test.clock.advance(61_000);
    await runJobs();
    expect((await reseller.close(license)).status).toBe(200);
    expect((await reseller.read(license)).recurly.recurrent).toBe(false);
  });

  it('a closed subscription keeps its credit', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license, { seats: 4 });
    await reseller.change(license, { seats: 2 });
    await reseller.close(license);
    expect(await reseller.charged()).toBe(15_680);
    expect((await reseller.subscribe(license)).status).toBe(201);
    expect(await reseller.charged()).toBe(15_680);
  });
});

describe('renewing', () => {
  it('a renewal is charged before the period ends', async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    const { end_timestamp } = await reseller.read(license);
    test.clock.advance(27 * DAY_MS);
    await runJobs();
    expect(await reseller.invoices(license)).toHaveLength(1);
    test.clock.advance(5 * DAY_MS);
    await runJobs();
    expect(await reseller.invoices(license)).toHaveLength(2);
    expect((await reseller.read(license)).end_timestamp > end_timestamp).toBe(true);
    await runJobs();
    expect(await reseller.invoices(license)).toHaveLength(2);
  });

  const failRenewal = async () => {
    const { license } = await reseller.create();
    await reseller.subscribe(license);
    expect((await reseller.changeCard(license, DECLINED)).status).toBe(200);
    test.clock.advance(32 * DAY_MS);
    await runJobs();
    return license;
  };

  it('a failed renewal is retried while the license works, and the reseller gets an email', async () => {
    const license = await failRenewal();
    expect(await reseller.read(license)).toMatchObject({ expired: false, recurly: { recurrent: true } });
    const mails = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === reseller.login);
    expect(mails.some(({ mail }) => mail.subject.startsWith('Payment failed'))).toBe(true);
    expect((await reseller.change(license, { seats: 5 })).status).toBe(409);
    expect((await reseller.changeCard(license)).status).toBe(200);
    expect(await reseller.invoices(license)).toHaveLength(2);
    expect(await reseller.read(license)).toMatchObject({ paid: true });
  });

  it('a declined new card is reported and does not count as a renewal attempt', async () => {
    const license = await failRenewal();
    for (let cards = 0; cards < 6; cards++) {
      const answer = await reseller.changeCard(license, DECLINED);
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field: 'token' }] } } });
      expect(answer.body.error.message).toContain('declined');
    }
    expect(await reseller.read(license)).toMatchObject({
      expired: false,
      recurly: { subscriber: true, recurrent: true },
    });
    const mails = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === reseller.login);
    expect(mails.filter(({ mail }) => mail.subject.startsWith('Payment failed'))).toHaveLength(1);
    expect((await reseller.changeCard(license)).status).toBe(200);
    expect(await reseller.charged()).toBe(2 * 7840);
  });

  it('the license stays active until the last renewal attempt', async () => {
    const license = await failRenewal();
    await endLicenses(test);
    expect((await reseller.read(license)).expired).toBe(false);
  });

  it('a subscription ends after the last renewal attempt', async () => {
    const license = await failRenewal();
    for (const days of [1, 2, 2]) {
      test.clock.advance(days * DAY_MS + 1000);
      await runJobs();
      expect((await reseller.read(license)).expired).toBe(false);
    }
    test.clock.advance(2 * DAY_MS + 1000);
    await runJobs();
    expect(await reseller.read(license)).toMatchObject({ paid: false, expired: true, recurly: { subscriber: false } });
    test.clock.advance(30 * DAY_MS);
    await runJobs();
    expect(await reseller.invoices(license)).toHaveLength(1);
    expect((await reseller.subscribe(license)).status).toBe(201);
  });
});
