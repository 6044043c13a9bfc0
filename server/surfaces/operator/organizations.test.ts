import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAs } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
beforeEach(async () => {
  organization = await buildOrganization(test);
});

const send = async (method: 'GET' | 'PATCH', path: string, body?: object, token = test.operatorToken) => {
  const response = await test.app.inject({
    method,
    url: `/operator/v1/organizations${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { payload: body } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};
const change = (body: object, id = organization.id) => send('PATCH', `/${id}`, body);

describe('the operator', () => {
  it('the operator reads one organization and pages through all', async () => {
    const seen = await send('GET', `/${organization.id}`);
    expect(seen).toMatchObject({
      status: 200,
      body: { organization_id: organization.id, status: 'trial', plan: 'team', seats: null },
    });
    await buildOrganization(test);
    const ids: string[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { body } = await send('GET', `?limit=1&after=${after}`);
      ids.push(...body.organizations.map((one: { organization_id: string }) => one.organization_id));
      after = body.next;
    }
    expect(ids).toContain(organization.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await send('GET', '?limit=101')).status).toBe(400);
  });

  it('ending a license affects agents and customers immediately, and it can be reactivated', async () => {
    const call = callAs(test, organization, await buildCustomer(organization));
    expect((await call('list_chats', {})).status).toBe(200);
    expect(await change({ status: 'expired' })).toMatchObject({ status: 200, body: { status: 'expired' } });
    expect(await call('list_chats', {})).toMatchObject({ status: 402, body: { error: { type: 'license_expired' } } });
    const login = organization.owner.login;
    const accept = () => setAgentStatus(organization.scope, { login, status: 'accepting chats' });
    await expect(accept()).rejects.toMatchObject({ code: 'license_expired' });
    expect(await change({ status: 'active', plan: 'enterprise' })).toMatchObject({
      body: { status: 'active', plan: 'enterprise' },
    });
    await accept();
    expect((await call('list_chats', {})).status).toBe(200);
  });

  it('the operator limits seats or removes the limit', async () => {
    expect((await change({ seats: 1 })).body.seats).toBe(1);
    await expect(buildAgent(organization)).rejects.toMatchObject({ code: 'conflict' });
    expect((await change({ seats: null })).body.seats).toBeNull();
    await buildAgent(organization);
  });

  it('the operator extends a trial', async () => {
    const ends = '2030-01-01T00:00:00.000000Z';
    expect((await change({ trial_ends_at: ends })).body.trial_ends_at).toBe(ends);
    expect((await change({})).body.trial_ends_at).toBe(ends);
  });

  it('invalid changes are rejected and change nothing', async () => {
    const { body: before } = await send('GET', `/${organization.id}`);
    for (const wrong of [{ status: 'gone' }, { plan: 'free' }, { seats: 0 }, { trial_ends_at: 'soon' }])
      expect((await change(wrong)).status).toBe(400);
    expect((await change({ status: 'active' }, randomUUID())).status).toBe(404);
    expect((await change({ status: 'active' }, 'no-id')).status).toBe(404);
    expect((await send('PATCH', `/${organization.id}`, { status: 'active' }, 'wrong')).status).toBe(401);
    expect((await send('GET', `/${organization.id}`)).body).toEqual(before);
  });
});
