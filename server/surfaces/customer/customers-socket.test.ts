import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addBan } from '#server/domain/support/customers/bans.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  test = await startListeningApp();
  organization = await buildOrganization(test);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await buildCustomer(organization);
});

describe('a customer over a socket', () => {
  it('updates its profile, which is pushed to its other sockets', async () => {
    const [here, there] = [await test.logIn(organization, customer), await test.logIn(organization, customer)];
    expect(await here.request('update_customer', { name: 'Ann' })).toMatchObject({ success: true, payload: {} });
    expect(await there.nextPush()).toMatchObject({
      action: 'customer_updated',
      payload: { id: customer.id, type: 'customer', name: 'Ann' },
    });
    await here.request('set_customer_session_fields', { session_fields: [{ b: '1' }, { a: '2' }] });
    expect((await there.nextPush()).payload.session_fields).toEqual([{ b: '1' }, { a: '2' }]);
    expect(await here.request('get_customer', {})).toMatchObject({
      payload: { name: 'Ann', session_fields: [{ b: '1' }, { a: '2' }], statistics: { chats_count: 0 } },
    });
    for (const socket of [here, there]) await socket.close();
  });

  it('gets a push when it is banned, and is disconnected', async () => {
    const client = await test.logIn(organization, customer);
    const other = await test.logIn(organization, await buildCustomer(organization));
    await addBan(organization.scope, { customerId: customer.id, days: 1 });
    expect(await client.nextPush()).toMatchObject({
      action: 'customer_disconnected',
      payload: { reason: 'customer_banned' },
    });
    await client.closed;
    expect(await other.request('ping')).toMatchObject({ success: true });
    await other.close();
  });

  it('is disconnected when its IP address is banned', async () => {
    const lone = await buildOrganization(test);
    const client = await test.logIn(lone, await buildCustomer(lone));
    await addBan(lone.scope, { ip: '127.0.0.1', days: 1 });
    expect((await client.nextPush()).payload).toEqual({ reason: 'customer_banned' });
    await client.closed;
  });
});
