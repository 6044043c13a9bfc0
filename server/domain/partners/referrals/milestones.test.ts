import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countConversations } from '#server/domain/accounts/licenses/count-conversations.ts';
import { openPartnerScope, type PartnerScope } from '#server/domain/scope.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { customerScope } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  buildPartner,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAs, message } from '#server/testing/http/call-customer.ts';
import { addReferredLicense } from './add-referred-license.ts';

const MINUTE_MS = 60_000;

const test = useTestApp();
let shop: TestOrganization;
let partner: PartnerScope;
beforeAll(async () => {
  const { id } = await buildPartner(test);
  partner = openPartnerScope(test.context.services, { kind: 'partner', id }, id);
});
beforeEach(async () => {
  shop = await buildOrganization(test);
  await refer(shop);
  test.clock.advance(MINUTE_MS);
});

const refer = async ({ id: organizationId }: TestOrganization) => {
  const row = {
    organizationId,
    program: 'affiliate',
    product: 'mainchat',
    status: 'trial',
    createdAt: partner.now(),
  } as const;
  await addReferredLicense(partner, row);
};

const milestonesOf = async ({ id }: TestOrganization) => {
  await test.context.partners.milestones.drain();
  const columns = ['installedAt', 'qualifiedAt', 'tenthChatAt'] as const;
  return partner.from('referredLicenses').where('organizationId', '=', id).select(columns).executeTakeFirstOrThrow();
};

const askToken = async ({ id: organization_id }: TestOrganization, origin?: string, app = test.app) => {
  const response = await app.inject({
    method: 'POST',
    url: '/v2/customer/token',
    headers: origin ? { origin } : {},
    payload: { grant_type: 'cookie', client_id: 'c', response_type: 'token', organization_id },
  });
  return response.json() as { entity_id: string; access_token: string };
};

const startChat = async (of = shop, events: object[] = [message('Hello')]) => {
  const customer = await buildCustomer(of);
  const { body } = await callAs(test, of, customer)('start_chat', { chat: { thread: { events } } });
  return { customer, chatId: body.chat_id as string };
};

const nothing = { installedAt: null, qualifiedAt: null, tenthChatAt: null };

describe('a widget', () => {
  it('the widget on a website qualifies the license once', async () => {
    const at = test.clock.now();
    await askToken(shop, 'https://shop.example');
    expect(await milestonesOf(shop)).toEqual({ installedAt: at, qualifiedAt: at, tenthChatAt: null });
    test.clock.advance(MINUTE_MS);
    await askToken(shop, 'https://www.shop.example');
    expect(await milestonesOf(shop)).toMatchObject({ installedAt: at, qualifiedAt: at });
  });

  it.each([undefined, 'http://parley.test', 'null', 'chrome-extension://abc'])(
    'a token request from %s does not count as an installed widget',
    async (origin) => {
      await askToken(shop, origin);
      expect(await milestonesOf(shop)).toEqual(nothing);
    },
  );

  it('the tracking script counts as an installed widget', async () => {
    const beacon = (url: string) =>
      test.app.inject({
        method: 'POST',
        url: '/tracking/beacon',
        payload: {
          ...{ license: shop.licenseNumber, visitor_id: crypto.randomUUID(), secret: 'x'.repeat(32), event: 'view' },
          page: { url, title: 'Shoes' },
        },
      });
    expect((await beacon('http://parley.test/products/mainchat')).statusCode).toBe(200);
    expect(await milestonesOf(shop)).toEqual(nothing);
    await beacon('https://shop.example/shoes');
    expect(await milestonesOf(shop)).toMatchObject({ installedAt: test.clock.now(), qualifiedAt: test.clock.now() });
  });

  it('the widget of a license without a referral writes nothing', async () => {
    const alone = await buildOrganization(test);
    await askToken(alone, 'https://shop.example');
    await startChat(alone);
    await test.context.partners.milestones.drain();
    const rows = await partner.from('referredLicenses').where('organizationId', '=', alone.id).selectAll().execute();
    expect(rows).toEqual([]);
  });
});

describe('chats', () => {
  it('the first chat qualifies the license, and the tenth is recorded', async () => {
    const first = test.clock.now();
    await startChat();
    expect(await milestonesOf(shop)).toEqual({ ...nothing, qualifiedAt: first });
    for (let at = 2; at < 10; at++) await startChat();
    expect(await milestonesOf(shop)).toMatchObject({ tenthChatAt: null });
    test.clock.advance(MINUTE_MS);
    const tenth = test.clock.now();
    await startChat();
    expect(await milestonesOf(shop)).toEqual({ ...nothing, qualifiedAt: first, tenthChatAt: tenth });
    test.clock.advance(MINUTE_MS);
    await startChat();
    expect(await milestonesOf(shop)).toMatchObject({ tenthChatAt: tenth });
  });

  it('concurrent chats are all counted', async () => {
    await Promise.all(Array.from({ length: 10 }, () => startChat()));
    expect((await milestonesOf(shop)).tenthChatAt).not.toBeNull();
  });

  it('chats without a message of the customer do not count', async () => {
    const { customer, chatId } = await startChat(shop, []);
    expect(await milestonesOf(shop)).toEqual(nothing);
    await deactivateChat(customerScope(shop, customer), { chatId });
    expect(await milestonesOf(shop)).toEqual(nothing);
  });

  it('a chat counts as soon as the customer writes', async () => {
    const begun = test.clock.now();
    const { customer, chatId } = await startChat(shop, []);
    await callAs(test, shop, customer)('send_event', { chat_id: chatId, event: message('Hello') });
    await deactivateChat(customerScope(shop, customer), { chatId });
    expect(await milestonesOf(shop)).toMatchObject({ qualifiedAt: begun });
  });

  it('the job records milestones that were missed', async () => {
    const begun = test.clock.now();
    const { customer, chatId } = await startChat(shop, []);
    await callAs(test, shop, customer)('send_event', { chat_id: chatId, event: message('Hello') });
    await test.context.partners.milestones.drain();
    await partner.update('referredLicenses').where('organizationId', '=', shop.id).set(nothing).execute();
    await test.context.background.scheduler.run('update-milestones');
    expect(await milestonesOf(shop)).toEqual({ ...nothing, qualifiedAt: begun });
    test.clock.advance(MINUTE_MS);
    await test.context.background.scheduler.run('update-milestones');
    expect(await milestonesOf(shop)).toEqual({ ...nothing, qualifiedAt: begun });
  });
});

describe('conversations', () => {
  it('conversations are the ended chats', async () => {
    const { customer, chatId } = await startChat();
    await startChat();
    await deactivateChat(customerScope(shop, customer), { chatId });
    const other = await buildOrganization(test);
    await test.context.background.projections.drain();
    const counts = await countConversations(test.context.database, [shop.id, other.id]);
    expect([...counts]).toEqual([[shop.id, 1]]);
    expect(await countConversations(test.context.database, [])).toEqual(new Map());
  });
});
