import { beforeEach, describe, expect, it } from 'vitest';
import { customerContract } from '#contracts/customer/index.ts';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const DAY_MS = 24 * 3600 * 1000;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
/** The address of injected requests. */
const HERE = '127.0.0.1';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
});

const ban = async (body: object, organizationId = organization.id, token = test.operatorToken) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/operator/v1/organizations/${organizationId}/bans`,
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  return { status: response.statusCode, body: response.json() };
};
const list = (who: TestCustomer = customer) => callAs(test, organization, who)('list_chats');
const askToken = (remoteAddress: string, organizationId = organization.id) =>
  test.app.inject({
    method: 'POST',
    url: '/v2/customer/token',
    remoteAddress,
    payload: { grant_type: 'cookie', client_id: 'c', response_type: 'token', organization_id: organizationId },
  });

describe('banning a customer', () => {
  it('a ban takes effect immediately for the requested days', async () => {
    expect((await list()).status).toBe(200);
    const answer = await ban({ customer_id: customer.id, days: 2 });
    expect(answer).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        customer_id: customer.id,
        banned_until: new Date(test.clock.now().getTime() + 2 * DAY_MS).toISOString().replace('Z', '000Z'),
      },
    });
    expect(await list()).toMatchObject(errorResponse(403, 'customer_banned'));
    expect((await list(await buildCustomer(organization))).status).toBe(200);
  });

  it('a ban takes effect in every process', async () => {
    await using other = await startTestApp({ beside: test });
    const there = callAs(other, organization, customer);
    await ban({ customer_id: customer.id, days: 1 });
    expect(await there('list_chats')).toMatchObject(errorResponse(403, 'customer_banned'));
  });

  it('a ban ends', async () => {
    await ban({ customer_id: customer.id, days: 1 });
    await test.context.database.kysely
      .updateTable('customerTokens')
      .where('organizationId', '=', organization.id)
      .set({ expiresAt: new Date(test.clock.now().getTime() + 9 * DAY_MS) })
      .execute();
    test.clock.advance(DAY_MS - 1);
    expect(await list()).toMatchObject(errorResponse(403, 'customer_banned'));
    test.clock.advance(1);
    expect((await list()).status).toBe(200);
  });

  it('a shorter ban does not end a longer one', async () => {
    await ban({ customer_id: customer.id, days: 9 });
    await ban({ customer_id: customer.id, days: 1 });
    const row = await organization.scope.from('customers').where('id', '=', customer.id).selectAll().executeTakeFirst();
    expect(row?.bannedUntil?.getTime()).toBe(test.clock.now().getTime() + 9 * DAY_MS);
  });

  it('a ban emits an event', async () => {
    const heard: DomainEvent[] = [];
    test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) =>
      heard.push(readEvent(text as string)),
    );
    await ban({ customer_id: customer.id, days: 1 });
    expect(heard).toMatchObject([{ type: 'customer_banned', customerId: customer.id, endsAt: expect.any(Date) }]);
  });

  it('every operation answers a banned customer with the ban', async () => {
    await ban({ customer_id: customer.id, days: 1 });
    for (const { name, method, path, public: open } of customerContract.operations) {
      if (open) continue;
      const response = await test.app.inject({
        method,
        url: `${path}?organization_id=${organization.id}`,
        headers: { authorization: `Bearer ${customer.token}` },
      });
      expect([name, response.statusCode, response.json().error.type]).toEqual([name, 403, 'customer_banned']);
    }
  });
});

describe('banning an address', () => {
  it('banning an address rejects its tokens and requests', async () => {
    const { access_token: token } = (await askToken('203.0.113.7')).json();
    expect(await ban({ ip: '203.0.113.7', days: 1 })).toMatchObject({ status: 201, body: { ip: '203.0.113.7' } });
    const refused = await askToken('203.0.113.7');
    expect([refused.statusCode, refused.json().oauth_exception]).toEqual([403, 'access_denied']);
    expect((await askToken('203.0.113.8')).statusCode).toBe(200);
    const from = async (remoteAddress: string) =>
      (
        await test.app.inject({
          method: 'POST',
          url: `/v3.5/customer/action/list_chats?organization_id=${organization.id}`,
          headers: { authorization: `Bearer ${token}` },
          remoteAddress,
        })
      ).statusCode;
    expect([await from('203.0.113.7'), await from('203.0.113.8')]).toEqual([403, 200]);
    test.clock.advance(DAY_MS);
    expect((await askToken('203.0.113.7')).statusCode).toBe(200);
  });

  it('banning an address matches all its notations', async () => {
    await ban({ ip: '::ffff:203.0.113.9', days: 1 });
    await ban({ ip: '2001:DB8:0::0001', days: 1 });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1'])
      expect((await askToken(address)).statusCode).toBe(403);
  });

  it('a ban applies to one organization', async () => {
    const other = await buildOrganization(test);
    await ban({ ip: HERE, days: 1 });
    expect(await list()).toMatchObject(errorResponse(403, 'customer_banned'));
    expect((await askToken(HERE, other.id)).statusCode).toBe(200);
  });
});

describe('a ban', () => {
  it.each<[string, object, number]>([
    ['nobody', { days: 1 }, 400],
    ['both', { customer_id: UNKNOWN_ID, ip: HERE, days: 1 }, 400],
    ['no days', { customer_id: UNKNOWN_ID }, 400],
    ['0 days', { customer_id: UNKNOWN_ID, days: 0 }, 400],
    ['too many days', { customer_id: UNKNOWN_ID, days: 3651 }, 400],
    ['half a day', { customer_id: UNKNOWN_ID, days: 0.5 }, 400],
    ['no address', { ip: 'example.test', days: 1 }, 400],
    ['a network', { ip: '10.0.0.0/8', days: 1 }, 400],
    ['an incomplete address', { ip: '10.1', days: 1 }, 400],
    ['an unknown customer', { customer_id: UNKNOWN_ID, days: 1 }, 404],
    ['a customer id that is not a UUID', { customer_id: 'x', days: 1 }, 404],
  ])('a ban of %s is rejected', async (_, body, status) => {
    expect((await ban(body)).status).toBe(status);
  });

  it('only the operator bans, in an existing organization that owns the customer', async () => {
    const other = await buildOrganization(test);
    expect((await ban({ customer_id: customer.id, days: 1 }, organization.id, 'wrong')).status).toBe(401);
    expect((await ban({ customer_id: customer.id, days: 1 }, UNKNOWN_ID)).status).toBe(404);
    expect((await ban({ customer_id: customer.id, days: 1 }, 'x')).status).toBe(404);
    expect((await ban({ customer_id: customer.id, days: 1 }, other.id)).status).toBe(404);
    expect((await list()).status).toBe(200);
  });
});
