import { beforeEach, describe, expect, it } from 'vitest';
import { revokeToken } from '#server/domain/support/customers/tokens.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const EIGHT_HOURS_MS = 8 * 3600 * 1000;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;

beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
});

const ask = async (query: string, authorization?: string) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/v3.5/customer/action/list_chats${query}`,
    headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
    payload: '{}',
  });
  return { status: response.statusCode, body: response.json() };
};
const setLicense = (status: 'trial' | 'active' | 'expired' | 'blocked') =>
  test.context.database.kysely.updateTable('organizations').where('id', '=', organization.id).set({ status }).execute();

describe('the credential of a customer', () => {
  it.each(['', 'Bearer', 'Bearer nonsense', 'Basic YTpi', 'dal:x', 'Bearer dal:x y'])(
    'is rejected if it is %j',
    async (header) =>
      expect(await ask(`?organization_id=${organization.id}`, header)).toMatchObject(
        errorResponse(401, 'authentication'),
      ),
  );

  it('is rejected if it belongs to an agent or the operator', async () => {
    for (const token of [organization.owner.apiKey, test.operatorToken])
      expect(await ask(`?organization_id=${organization.id}`, `Bearer ${token}`)).toMatchObject(
        errorResponse(401, 'authentication'),
      );
  });

  it.each([
    ['', 400, 'validation'],
    ['?organization_id=', 400, 'validation'],
    ['?organization_id[]=a&organization_id[]=b', 400, 'validation'],
    ['?organization_id[a]=b', 400, 'validation'],
    ['?organization_id=%zz', 400, 'validation'],
    ['?organization_id=%00', 400, 'validation'],
    [`?organization_id=${NOWHERE}`, 404, 'license_not_found'],
    ['?organization_id=17', 404, 'license_not_found'],
    ["?organization_id=' or 1=1 --", 404, 'license_not_found'],
  ])('requires the organization: %s returns %i', async (query, status, type) => {
    expect(await ask(query, `Bearer ${customer.token}`)).toMatchObject(errorResponse(status, type));
  });

  it('belongs to that organization', async () => {
    const other = await buildOrganization(test);
    expect(await ask(`?organization_id=${other.id}`, `Bearer ${customer.token}`)).toMatchObject(
      errorResponse(401, 'authentication'),
    );
  });

  it('may write the organization in capitals', async () => {
    const query = `?organization_id=${organization.id.toUpperCase()}`;
    expect(await ask(query, `bearer ${customer.token}`)).toMatchObject({ status: 200 });
  });

  it('is valid for eight hours', async () => {
    test.clock.advance(EIGHT_HOURS_MS - 1);
    expect((await call('list_chats')).status).toBe(200);
    test.clock.advance(1);
    expect(await call('list_chats')).toMatchObject(errorResponse(401, 'authentication'));
  });

  it('is rejected immediately after the token is revoked', async () => {
    expect((await call('list_chats')).status).toBe(200);
    await revokeToken(organization.scope, customer.token);
    expect(await call('list_chats')).toMatchObject(errorResponse(401, 'authentication'));
  });

  it('is rejected in every process after the token is revoked in one', async () => {
    await using other = await startTestApp({ beside: test });
    const there = callAs(other, organization, customer);
    await revokeToken(organization.scope, customer.token);
    expect(await there('list_chats')).toMatchObject(errorResponse(401, 'authentication'));
  });

  it('is rejected while the customer is banned', async () => {
    const bannedUntil = new Date(test.clock.now().getTime() + 60_000);
    await organization.scope.update('customers').where('id', '=', customer.id).set({ bannedUntil }).execute();
    expect(await call('list_chats')).toMatchObject(errorResponse(403, 'customer_banned'));
    expect(await call('start_chat')).toMatchObject(errorResponse(403, 'customer_banned'));
    test.clock.advance(60_000);
    expect((await call('list_chats')).status).toBe(200);
  });

  it.each(['expired', 'blocked'] as const)('is rejected for a license that is %s', async (status) => {
    await setLicense(status);
    expect(await call('list_chats')).toMatchObject(errorResponse(402, 'license_expired'));
  });

  it('can be redirected to another region', async () => {
    expect(await ask(`?organization_id=${organization.id}`, 'Bearer fra:abc')).toEqual({
      status: 421,
      body: { error: { type: 'misdirected_request', message: 'Wrong region', data: { region: 'fra' } } },
    });
    expect(await ask(`?organization_id=${organization.id}`, 'Bearer xyz:abc')).toMatchObject(
      errorResponse(401, 'authentication'),
    );
  });
});

describe('too many requests', () => {
  it('return a retry-after header', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const flood = callAs(limited, organization, customer);
    const answers = await Promise.all(Array.from({ length: 130 }, () => flood('list_chats', { limit: 1 })));
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject(errorResponse(429, 'too_many_requests'));
    expect(Number(refused!.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const neighbor = callAs(limited, organization, await buildCustomer(organization));
    expect((await neighbor('list_chats')).status).toBe(200);
  });
});
