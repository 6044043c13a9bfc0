import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/start-app.ts';
import { buildReseller, DAY_MS, LATE, type TestReseller } from './testing-reseller.ts';

let test: TestApp;
let reseller: TestReseller;
let license: string;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  reseller = await buildReseller(test);
  ({ license } = await reseller.create());
});
afterAll(() => test[Symbol.asyncDispose]());

const runJobsAfter = async (ms: number) => {
  test.clock.advance(ms);
  await test.context.jobHandlers['renew-subscriptions']({});
};
/** As if the provider had never heard of what was asked of it. */
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

it('a charge that happened is found when its key is forgotten', async () => {
  expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
  await runJobsAfter(DAY_MS + 1000);
  expect(await reseller.read(license)).toMatchObject({ paid: true, recurly: { subscriber: true } });
  expect(await reseller.charged()).toBe(7840);
  expect(await statuses()).toEqual(['succeeded']);
});

it('one that never happened is not asked for again', async () => {
  expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
  await forgetCharges();
  await runJobsAfter(DAY_MS + 1000);
  expect(await reseller.charged()).toBe(0);
  expect(await statuses()).toEqual(['declined']);
  expect((await reseller.read(license)).recurly.subscriber).toBe(false);
  expect((await reseller.subscribe(license)).status).toBe(201);
  expect(await reseller.charged()).toBe(7840);
});

it('nobody asks, and nobody decides, in the hour before', async () => {
  expect((await reseller.subscribe(license, {}, LATE)).status).toBe(503);
  await forgetCharges();
  await runJobsAfter(DAY_MS - 60_000);
  expect(await reseller.charged()).toBe(0);
  expect(await statuses()).toEqual(['open']);
});

it('a renewal that never happened is tried again like one that was declined', async () => {
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
