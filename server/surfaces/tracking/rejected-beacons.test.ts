import { beforeAll, describe, expect, it } from 'vitest';
import { setTrustedDomains } from '#server/domain/accounts/licenses/trusted-domains.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { openBrowser, readPages, readVisits } from '../../testing/http/beacons.ts';

const test = useTestApp();
let shop: TestOrganization;
beforeAll(async () => {
  shop = await buildOrganization(test);
});

const visitsOf = (id: string) => readVisits(shop, id);
const pagesOf = (id: string) => readPages(shop, id);

describe('a beacon', () => {
  it('with the id of another browser is not recognized and writes nothing', async () => {
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'view' });
    const before = await visitsOf(id);
    const thief = openBrowser(test, shop);
    for (const event of ['view', 'beat', 'leave'] as const)
      expect((await thief.send({ event, visitor_id: id })).body.recognised).toBe(false);
    expect(await visitsOf(id)).toEqual(before);
  });

  it('is not mixed up with concurrent beacons of an unauthenticated browser', async () => {
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'view' });
    const thief = openBrowser(test, shop);
    const lie = { visitor_id: id, variables: [{ name: 'plan', value: 'gold' }] };
    const [first, own, last] = await Promise.all([
      thief.send({ event: 'view', page: { url: 'https://shop.test/lie' }, ...lie }),
      send({ event: 'view', page: { url: 'https://shop.test/true' } }),
      thief.send({ event: 'leave', ...lie }),
    ]);
    expect([first, own, last].map(({ body }) => body.recognised)).toEqual([false, true, false]);
    expect((await pagesOf(id)).map(({ url }) => url)).toEqual(['https://shop.test/shoes', 'https://shop.test/true']);
    const customer = await shop.scope.from('customers').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
    expect(customer.sessionFields).toEqual([]);
  });

  it('is accepted only from trusted domains', async () => {
    const other = await buildOrganization(test);
    await setTrustedDomains(other.scope, ['shop.test']);
    const { send } = openBrowser(test, other);
    expect((await send({ event: 'view' }, { origin: 'https://www.shop.test' })).status).toBe(200);
    expect((await send({ event: 'view' }, { origin: 'https://evil.test' })).status).toBe(403);
    const page = { url: 'https://evil.test/' };
    expect((await send({ event: 'view', page })).status).toBe(403);
  });

  it('is rejected for unknown and ended licenses, invalid URLs and banned visitors', async () => {
    expect((await openBrowser(test, { licenseNumber: 999_999 }).send({ event: 'view' })).status).toBe(404);
    const { id, send } = openBrowser(test, shop);
    expect((await send({ event: 'view', page: { url: 'file:///etc/passwd' } })).status).toBe(400);
    await send({ event: 'view' });
    await shop.scope
      .update('customers')
      .where('id', '=', id)
      .set({ bannedUntil: new Date(test.clock.now().getTime() + 60_000) })
      .execute();
    const before = await visitsOf(id);
    test.clock.advance(1000);
    expect((await send({ event: 'view' })).body.recognised).toBe(true);
    expect((await send({ event: 'beat' })).body.recognised).toBe(true);
    expect(await visitsOf(id)).toEqual(before);
    const ended = await buildOrganization(test);
    await test.context.database.kysely
      .updateTable('organizations')
      .where('id', '=', ended.id)
      .set({ status: 'expired' })
      .execute();
    expect((await openBrowser(test, ended).send({ event: 'view' })).status).toBe(402);
  });

  it('of a bot is not counted', async () => {
    const { id, send } = openBrowser(test, shop);
    expect((await send({ event: 'view' }, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })).status).toBe(
      200,
    );
    expect(await visitsOf(id)).toEqual([]);
  });
});
