import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildGroup, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
beforeEach(async () => {
  organization = await buildOrganization(test);
  await buildGroup(organization, 3);
  await buildGroup(organization, 4);
});

const ask = async (path: string, headers: Record<string, string> = {}, input: object = {}) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/v2/customer/${path}`,
    headers,
    payload: {
      grant_type: 'cookie',
      client_id: 'c',
      response_type: 'token',
      ...(path === 'token' ? { organization_id: organization.id } : {}),
      ...input,
    },
  });
  const cookies = Object.fromEntries(response.cookies.map((cookie) => [cookie.name, cookie]));
  return { status: response.statusCode, body: response.json(), cookies };
};
const inGroup = (group: number | string) => `${organization.id}/${group}/token`;
const cookieOf = ({ cookies }: Awaited<ReturnType<typeof ask>>) =>
  `__lc_cid=${cookies.__lc_cid!.value}; __lc_cst=${cookies.__lc_cst!.value}`;
const setVersion = (productVersion: number) =>
  test.context.database.kysely
    .updateTable('organizations')
    .where('id', '=', organization.id)
    .set({ productVersion })
    .execute();

describe('group tokens', () => {
  it('a customer has a separate identity in each group', async () => {
    const general = await ask('token');
    const third = await ask(inGroup(3), { cookie: cookieOf(general) });
    const fourth = await ask(inGroup(4), { cookie: cookieOf(third) });
    const ids = [general, third, fourth].map(({ body }) => body.entity_id);
    expect(new Set(ids).size).toBe(3);
    expect(third.cookies.__lc_cid).toMatchObject({ path: `/v2/customer/${organization.id}/3`, httpOnly: true });
    // Browsers send both, the longer path first.
    const again = await ask(inGroup(3), { cookie: `${cookieOf(third)}; ${cookieOf(general)}` });
    expect(again.body.entity_id).toBe(third.body.entity_id);
    expect((await ask('token', { cookie: cookieOf(third) })).body.entity_id).not.toBe(third.body.entity_id);
    const call = callAs(test, organization, { id: '', token: third.body.access_token });
    expect((await call('get_customer')).body).toMatchObject({ id: third.body.entity_id });
  });

  it('a server can request a token for a group', async () => {
    const headers = { authorization: `Bearer ${organization.owner.apiKey}` };
    const { status, body } = await ask(inGroup(3), headers, { grant_type: 'agent_token' });
    expect([status, body.organization_id]).toEqual([200, organization.id]);
    const other = await buildOrganization(test);
    const foreign = { authorization: `Bearer ${other.owner.apiKey}` };
    expect((await ask(inGroup(3), foreign, { grant_type: 'agent_token' })).status).toBe(403);
  });

  it.each([
    [() => inGroup(5), 404],
    [() => inGroup('x'), 400],
    [() => inGroup(-1), 400],
    [() => '00000000-0000-4000-8000-000000000000/3/token', 404],
    [() => 'x/3/token', 404],
  ])('requires an existing organization and group', async (path, status) => {
    expect((await ask(path())).status).toBe(status);
  });
});

describe('an organization of another product generation', () => {
  it('an organization of another product version gets no token', async () => {
    const { body } = await ask('token');
    await setVersion(0);
    expect(await ask('token')).toMatchObject({ status: 403, body: { oauth_exception: 'access_denied' } });
    test.context.customers.forget();
    const call = callAs(test, organization, { id: '', token: body.access_token });
    for (const operation of ['list_chats', 'get_customer', 'start_chat'])
      expect(await call(operation)).toMatchObject(errorResponse(422, 'wrong_product_version'));
    expect((await call('list_chats')).body.error.message).toBe('Wrong product version');
  });
});
