import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';
import { callAs } from '#server/testing/http/call-customer.ts';
import { lockOrganization } from '../../organization-lock.ts';

/** More than there are connections. */
const CROWD = 30;

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test[Symbol.asyncDispose]());

it('lets a busy organization wait without taking the connections of the others', async () => {
  const busy = await buildOrganization(test);
  const other = await buildOrganization(test);
  const call = callAs(test, other, await buildCustomer(other));
  const { promise: untilFree, resolve: free } = Promise.withResolvers<void>();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const holding = busy.scope.transaction(async (tx) => {
    await lockOrganization(tx);
    take();
    await untilFree;
  });
  await taken;
  const customers = await Promise.all(Array.from({ length: CROWD }, () => buildCustomer(busy)));
  const starts = customers.map((customer) => callAs(test, busy, customer)('start_chat', { continuous: true }));
  expect((await call('start_chat', {})).status).toBe(200);
  expect((await call('list_chats', {})).body.total_chats).toBe(1);
  free();
  await holding;
  expect(new Set((await Promise.all(starts)).map(({ status }) => status))).toEqual(new Set([200]));
});

it('passes the turn on when whoever has it fails', async () => {
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
