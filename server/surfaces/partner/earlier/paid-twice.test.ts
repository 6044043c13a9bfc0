import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { callOperator } from '#server/testing/referrals.ts';
import { startTestApp, type TestApp } from '#server/testing/start-app.ts';
import { buildReseller, DAY_MS, DECLINED, type TestReseller } from './testing-reseller.ts';

let test: TestApp;
let reseller: TestReseller;
let license: string;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  reseller = await buildReseller(test);
  ({ license } = await reseller.create());
  await reseller.subscribe(license);
});
afterAll(() => test[Symbol.asyncDispose]());

/** The operator records a year beside the subscription; answers until when the licence is paid then. */
const payYear = async (): Promise<string> => {
  const { id } = await test.context.database.kysely
    .selectFrom('organizations')
    .where('licenceNumber', '=', Number(license))
    .select('id')
    .executeTakeFirstOrThrow();
  const payment = { product: 'mainchat', amount_cents: 49_000, currency: 'USD', billing_cycle: 'annual' };
  await callOperator(() => test)('POST', `/organizations/${id}/payments`, {
    external_id: `year ${license}`,
    ...payment,
  });
  return (await reseller.read(license)).end_timestamp;
};
const renewLater = async () => {
  test.clock.advance(32 * DAY_MS);
  await test.context.jobHandlers['renew-subscriptions']({});
};

it('a renewal takes nothing away from what the operator recorded', async () => {
  const until = await payYear();
  await renewLater();
  expect(await reseller.invoices(license)).toHaveLength(3);
  expect((await reseller.read(license)).end_timestamp).toBe(until);
});

it('neither does one that is declined', async () => {
  const until = await payYear();
  await reseller.changeCard(license, DECLINED);
  await renewLater();
  expect((await reseller.read(license)).end_timestamp).toBe(until);
});
