import { beforeAll, describe, expect, it } from 'vitest';
import { partnerContract } from '#contracts/partner/index.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization, buildPartner } from '#server/testing/builders/factories.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeAll(async () => {
  partner = await buildPartner(test);
});

const as = (token: string | undefined) =>
  callAs(
    () => test,
    () => token,
  );

describe('the credential', () => {
  const guarded = partnerContract.operations.filter((operation) => !operation.public);

  it.each(guarded.map(({ name, method, path }) => [name, method, path] as const))(
    '%s requires a credential',
    async (_, method, path) => {
      const url = path.replace('/v2/partners', '').replace(':id', '1');
      for (const token of [undefined, 'wrong', `dal-${'x'.repeat(43)}`, `${partner.token}x`]) {
        const { status, body } = await as(token)(method, url);
        expect({ status, type: body.error.type }).toEqual({ status: 401, type: 'authentication' });
      }
    },
  );

  it.each([['Basic dTpw'], ['Bearer'], ['Bearer '], ['Token x'], ['']])(
    'the credential %j is rejected',
    async (authorization) => {
      const response = await test.app.inject({ url: '/v2/partners', headers: { authorization } });
      expect(response.statusCode).toBe(401);
    },
  );

  it('credentials of agents, customers and the operator are rejected', async () => {
    const organization = await buildOrganization(test);
    const customer = await buildCustomer(organization);
    for (const token of [organization.owner.apiKey, customer.token, test.operatorToken]) {
      expect((await as(token)('GET', '')).status).toBe(401);
    }
  });

  it('a token of another region is answered with that region', async () => {
    const { status, body } = await as(`fra-${'x'.repeat(43)}`)('GET', '');
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'misdirected' });
    expect(body.error.message).toContain('fra');
  });

  it('the token of a blocked partner still works', async () => {
    const blocked = await buildPartner(test);
    const { kysely } = test.context.database;
    await kysely.updateTable('partners').where('id', '=', blocked.id).set({ blocked: true }).execute();
    expect((await as(blocked.token)('GET', '')).status).toBe(200);
    expect((await as(blocked.token)('GET', '/tokens')).status).toBe(200);
  });
});

describe('the rate limit', () => {
  it('the rate limit allows a burst of 100 per partner', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const other = await buildPartner(test);
    const get = (token: string) =>
      limited.app.inject({ url: '/v2/partners', headers: { authorization: `Bearer ${token}` } });
    const answers = await Promise.all(Array.from({ length: 400 }, () => get(partner.token)));
    const passed = answers.filter(({ statusCode }) => statusCode === 200).length;
    expect(passed).toBeGreaterThanOrEqual(100);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json().error.type).toBe('too_many_requests');
    expect(refused?.headers['retry-after']).toBe('1');
    expect((await get(other.token)).statusCode).toBe(200);
  });
});
