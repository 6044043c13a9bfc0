import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { customerScope } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getCustomer } from '../customers/get-customer.ts';
import { findCurrentVisit } from './current-visit.ts';
import { connectCustomer, disconnectCustomer, extendOnline, isOnline } from './presence.ts';
import { readVisitor } from './read-visitor.ts';
import { recordPage } from './record-page.ts';

const HALF_AN_HOUR = 30 * 60_000;

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let scope: OrganizationScope;

beforeAll(async () => {
  organization = await buildOrganization(test);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  scope = customerScope(organization, customer);
});

const current = () => findCurrentVisit(scope, customer.id);
const open = (url = 'https://shop.test/') => recordPage(scope, { url });
const pages = async () => (await readVisitor(scope, (await current())!)).pages.map(({ url }) => url);

describe('a visit', () => {
  it('ends after half an hour of inactivity and is followed by another with the next number', async () => {
    await open('https://shop.test/1');
    const first = await current();
    test.clock.advance(HALF_AN_HOUR);
    await open('https://shop.test/2');
    expect(await current()).toMatchObject({ id: first!.id, number: 1, pageCount: 2 });
    test.clock.advance(HALF_AN_HOUR + 1);
    expect(await current()).toBeUndefined();
    await open('https://shop.test/3');
    expect(await current()).toMatchObject({ number: 2, pageCount: 1 });
    expect(await pages()).toEqual(['https://shop.test/3']);
    expect((await getCustomer(scope)).statistics).toMatchObject({ visitsCount: 2, pageViewsCount: 3 });
  });

  it('starts once for concurrent requests', async () => {
    test.clock.advance(HALF_AN_HOUR + 1);
    await Promise.all(Array.from({ length: 8 }, (_, at) => open(`https://shop.test/${at}`)));
    expect(await current()).toMatchObject({ number: 2, pageCount: 8 });
  });

  it('continues while a socket is open', async () => {
    await connectCustomer(scope, {});
    for (let minutes = 0; minutes < 40; minutes++) {
      test.clock.advance(60_000);
      await extendOnline(organization.scope, [customer.id]);
    }
    expect(await current()).toMatchObject({ number: 1 });
    expect(await isOnline(scope, customer.id)).toBe(true);
    await disconnectCustomer(organization.scope, customer.id);
    expect(await isOnline(scope, customer.id)).toBe(false);
  });

  it('keeps the first referrer and the last known group', async () => {
    const groupId = await buildGroup(organization, 4);
    await connectCustomer(scope, { referrer: 'https://search.test/', groupId });
    await connectCustomer(scope, { referrer: 'https://elsewhere.test/', groupId: 99 });
    expect(await current()).toMatchObject({ referrer: 'https://search.test/', groupId });
  });

  it('stores the latest thousand pages and counts all', async () => {
    await open('https://shop.test/first');
    const { id: visitId } = (await current())!;
    const many = Array.from({ length: 999 }, (_, at) => ({
      ...{ visitId, number: at + 2, url: `https://shop.test/${at + 2}`, title: null, openedAt: test.clock.now() },
    }));
    await scope.insert('visitPages', many).execute();
    await scope.update('visits').where('id', '=', visitId).set({ pageCount: 1000 }).execute();
    await open('https://shop.test/last');
    const found = await pages();
    expect(found).toHaveLength(1000);
    expect([found[0], found.at(-1)]).toEqual(['https://shop.test/2', 'https://shop.test/last']);
    expect((await readVisitor(scope, (await current())!)).pagesNumber).toBe(1001);
  });

  it('is read up to the character limit of rules', async () => {
    for (let at = 0; at < 40; at++) await open(`https://shop.test/${at}/${'a'.repeat(4000)}`);
    const found = await pages();
    expect(found.at(-1)).toMatch(/^https:\/\/shop\.test\/39\/a+$/);
    expect(found.every((url) => url.length === 2048)).toBe(true);
    expect(found).toHaveLength(32);
  });

  it.each(['', 'shop', '/cart', 'about:blank', 'file:///a', 'javascript:alert(1)', 'data:text/html,x'])(
    'rejects or ignores the page %j',
    async (url) => {
      await expect(open(url)).rejects.toMatchObject({ code: 'validation' });
      await connectCustomer(scope, { page: { url } });
      expect(await pages()).toEqual([]);
    },
  );
});
