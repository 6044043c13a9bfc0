import { beforeAll, describe, expect, it } from 'vitest';
import { PROPERTIES_TOPIC, writeEvent } from '#server/domain/events.ts';
import { updateGroupProperties, updateLicenseProperties } from '#server/domain/support/properties/share-properties.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, 2);
  await buildProperty(organization, 'shop', 'theme');
  await buildProperty(organization, 'shop', 'key', { customer: [] });
  await buildProperty(organization, 'bot', 'theme');
  const input = { shop: { theme: 'dark', key: 'k' }, bot: { theme: 'light' } };
  await updateLicenseProperties(organization.scope, input);
  await updateGroupProperties(organization.scope, 2, { shop: { theme: 'red', key: 'k' } });
});

const get = async (operation: string, query: Record<string, string>, token?: string) => {
  const response = await test.app.inject({
    url: `/v3.5/customer/action/${operation}?${new URLSearchParams({ organization_id: organization.id, ...query })}`,
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};

const refused = (status: number, type: string) => ({ status, body: { error: { type } } });

describe('list_license_properties', () => {
  it.each<[Record<string, string>, object]>([
    [{}, { shop: { theme: 'dark' }, bot: { theme: 'light' } }],
    [{ namespace: 'shop' }, { shop: { theme: 'dark' } }],
    [{ name: 'theme' }, { shop: { theme: 'dark' }, bot: { theme: 'light' } }],
    [{ namespace: 'bot', name: 'theme' }, { bot: { theme: 'light' } }],
    [{ namespace: 'shop', name: 'key' }, {}],
    [{ namespace: 'nobody' }, {}],
    [
      { namespace: '', name: '' },
      { shop: { theme: 'dark' }, bot: { theme: 'light' } },
    ],
  ])('returns for %j the properties that customers may read, without a token', async (query, properties) => {
    expect(await get('list_license_properties', query)).toEqual({ status: 200, body: properties });
  });

  it('validates a token if one is sent', async () => {
    expect((await get('list_license_properties', {}, customer.token)).status).toBe(200);
    expect(await get('list_license_properties', {}, 'dal:wrong')).toMatchObject(refused(401, 'authentication'));
  });

  it.each([
    ['', 400, 'validation'],
    ['nonsense', 404, 'license_not_found'],
    ['00000000-0000-4000-8000-000000000000', 404, 'license_not_found'],
  ])('rejects the organization %j', async (organization_id, status, type) => {
    expect(await get('list_license_properties', { organization_id })).toMatchObject(refused(status, type));
  });

  it('rejects requests of an ended license', async () => {
    const ended = await buildOrganization(test);
    await test.context.database.kysely
      .updateTable('organizations')
      .where('id', '=', ended.id)
      .set({ status: 'expired' })
      .execute();
    expect(await get('list_license_properties', { organization_id: ended.id })).toMatchObject(
      refused(402, 'license_expired'),
    );
  });

  it('is rate limited', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const statuses = new Set<number>();
    for (let at = 0; at < 150; at++) {
      const url = `/v3.5/customer/action/list_license_properties?organization_id=${organization.id}`;
      statuses.add((await limited.app.inject({ url })).statusCode);
    }
    expect(statuses).toEqual(new Set([200, 429]));
  });
});

describe('list_group_properties', () => {
  it('returns the properties of a group that customers may read', async () => {
    expect(await get('list_group_properties', { id: '2' })).toEqual({ status: 200, body: { shop: { theme: 'red' } } });
    expect(await get('list_group_properties', { id: '0' })).toEqual({ status: 200, body: {} });
    expect((await get('list_group_properties', { id: '2', namespace: 'bot' })).body).toEqual({});
  });

  it('requires an existing group', async () => {
    expect(await get('list_group_properties', { id: '9' })).toMatchObject(refused(404, 'group_not_found'));
    expect(await get('list_group_properties', {})).toMatchObject(refused(400, 'validation'));
    expect(await get('list_group_properties', { id: 'two' })).toMatchObject(refused(400, 'validation'));
  });

  it('does not find groups of another account', async () => {
    const other = await buildOrganization(test);
    expect(await get('list_group_properties', { organization_id: other.id, id: '2' })).toMatchObject(
      refused(404, 'group_not_found'),
    );
  });
});

describe('definitions', () => {
  it('are reloaded by every process after a change', async () => {
    await using other = await startTestApp({ beside: test });
    await other.context.services.support.properties.load(organization.id);
    await buildProperty(organization, 'late', 'news');
    const news = {
      type: 'property_defined',
      organizationId: organization.id,
      namespace: 'late',
      name: 'news',
    } as const;
    other.context.ports.bus.publish(PROPERTIES_TOPIC, writeEvent(news));
    await Promise.resolve();
    expect((await other.context.services.support.properties.load(organization.id)).has('late')).toBe(true);
  });

  it('cannot use a built-in namespace', async () => {
    await expect(buildProperty(organization, 'rating', 'stars')).rejects.toMatchObject({ code: 'validation' });
  });
});
