import { expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';
import { callAs } from '#server/testing/http/call-customer.ts';
import { lockOrganization } from './organization-lock.ts';

/** More than the connection pool has. */
const CONCURRENT_STARTS = 30;

const test = useTestApp();

it('queues transactions of a busy organization without using up the connections of others', async () => {
  const busy = await buildOrganization(test);
  const other = await buildOrganization(test);
  const call = callAs(test, other, await buildCustomer(other));
  const { promise: untilFree, resolve: free } = Promise.withResolvers<void>();
  const { promise: taken, resolve: markTaken } = Promise.withResolvers<void>();
  const holding = busy.scope.transaction(async (tx) => {
    await lockOrganization(tx);
    markTaken();
    await untilFree;
  });
  await taken;
  const customers = await Promise.all(Array.from({ length: CONCURRENT_STARTS }, () => buildCustomer(busy)));
  const starts = customers.map((customer) => callAs(test, busy, customer)('start_chat', { continuous: true }));
  expect((await call('start_chat', {})).status).toBe(200);
  expect((await call('list_chats', {})).body.total_chats).toBe(1);
  free();
  await holding;
  expect(new Set((await Promise.all(starts)).map(({ status }) => status))).toEqual(new Set([200]));
});

it('releases the lock when the transaction that holds it fails', async () => {
  const { scope } = await buildOrganization(test);
  const failing = scope.transaction(async (tx) => {
    await lockOrganization(tx);
    throw new Error('on purpose');
  });
  const next = scope.transaction(async (tx) => {
    await lockOrganization(tx);
    await lockOrganization(tx);
    return 'done';
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await next).toBe('done');
});
