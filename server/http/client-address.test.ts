import { describe, expect, it } from 'vitest';
import { startTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';

/** `inject` calls come from 127.0.0.1, like those of a local proxy. */
const callFrom = async (trustedProxies: string[], forwarded: string) => {
  await using test = await startTestApp({ config: { trustedProxies } });
  const organization = await buildOrganization(test);
  const customer = await buildCustomer(organization);
  await test.app.inject({
    method: 'POST',
    url: `/operator/v1/organizations/${organization.id}/bans`,
    headers: { authorization: `Bearer ${test.operatorToken}` },
    payload: { ip: '203.0.113.7', days: 1 },
  });
  const { statusCode } = await test.app.inject({
    method: 'POST',
    url: `/v3.5/customer/action/list_chats?organization_id=${organization.id}`,
    headers: { authorization: `Bearer ${customer.token}`, 'x-forwarded-for': forwarded },
    payload: {},
  });
  return statusCode;
};

describe('the client address', () => {
  it('is taken from a trusted proxy, so that a ban applies to one visitor and not to all visitors behind the proxy', async () => {
    expect(await callFrom(['127.0.0.1'], '203.0.113.7')).toBe(403);
    expect(await callFrom(['loopback'], '203.0.113.8')).toBe(200);
  });

  it('is the nearest address that is not a trusted proxy, because clients can forge everything before it', async () => {
    expect(await callFrom(['127.0.0.1'], '203.0.113.7, 198.51.100.9')).toBe(200);
    expect(await callFrom(['127.0.0.1', '198.51.100.0/24'], '203.0.113.7, 198.51.100.9')).toBe(403);
  });

  it('ignores the headers of untrusted clients', async () => {
    expect(await callFrom([], '203.0.113.7')).toBe(200);
  });
});
