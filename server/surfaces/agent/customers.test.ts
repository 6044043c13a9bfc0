import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { addBan } from '#server/domain/support/customers/bans.ts';
import { connectCustomer } from '#server/domain/support/visits/presence.ts';
import { recordPage } from '#server/domain/support/visits/record-page.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let other: TestOrganization;
let normal: TestAgent;
let customer: TestCustomer;
let call: ReturnType<typeof callAsAgent>;

beforeAll(async () => {
  call = callAsAgent(test);
  [organization, other] = await Promise.all([buildOrganization(test), buildOrganization(test)]);
  await buildGroup(organization, SALES);
  normal = await buildAgent(organization);
});
beforeEach(async () => {
  test.clock.advance(1000);
  customer = await buildCustomer(organization);
});

const get = async (id = customer.id, by = normal) => (await call(by, 'get_customer', { id })).body;
const done = { status: 200, body: {} };
const notFound = errorResponse(404, 'not_found');

const asAgent = ({ login }: TestAgent) =>
  openOrganizationScope(
    test.context.services,
    { kind: 'agent', id: login, permission: 'owner', groupIds: [0] },
    organization.id,
  );

describe('get_customer', () => {
  it('returns all details to every agent', async () => {
    const browser = { userAgent: 'Test/1', ip: '::ffff:203.0.113.7' };
    const scope = openOrganizationScope(
      test.context.services,
      { kind: 'customer', id: customer.id, browser },
      organization.id,
    );
    const startedAt = '2026-03-02T10:00:01.000000Z';
    await connectCustomer(scope, {
      referrer: 'https://search.test/',
      page: { url: 'https://shop.test/1', title: 'One' },
      groupId: SALES,
    });
    test.clock.advance(1000);
    await recordPage(scope, { url: 'https://shop.test/2' });
    await call(normal, 'update_customer', {
      id: customer.id,
      name: 'Cora',
      email: 'cora@mail.test',
      session_fields: [{ plan: 'gold' }],
    });
    const found = await get();
    expect(found).toEqual({
      id: customer.id,
      type: 'customer',
      visitor_details: [],
      name: 'Cora',
      email: 'cora@mail.test',
      email_verified: false,
      session_fields: [{ plan: 'gold' }],
      created_at: expect.stringMatching(/^2026-03-02T10:00:\d\d\.000000Z$/),
      group_ids: [SALES],
      state: 'browsing',
      online: true,
      followed: false,
      chat_ids: [],
      last_visit: {
        started_at: found.created_at,
        referrer: 'https://search.test/',
        ip: '203.0.113.7',
        user_agent: 'Test/1',
        last_pages: [
          { url: 'https://shop.test/1', title: 'One', opened_at: found.created_at },
          { url: 'https://shop.test/2', opened_at: expect.stringContaining('Z') },
        ],
      },
      statistics: {
        chats_count: 0,
        threads_count: 0,
        visits_count: 1,
        page_views_count: 2,
        greetings_shown_count: 0,
        greetings_accepted_count: 0,
      },
    });
    expect(startedAt <= found.created_at).toBe(true);
  });

  it('returns at most the latest ten pages', async () => {
    const scope = customerScope(organization, customer);
    for (let page = 1; page <= 11; page++) await recordPage(scope, { url: `https://shop.test/${page}` });
    const urls = (await get()).last_visit.last_pages.map(({ url }: { url: string }) => url);
    expect(urls).toHaveLength(10);
    expect(urls.at(0)).toBe('https://shop.test/2');
    expect(urls.at(-1)).toBe('https://shop.test/11');
  });

  it('counts all chats but lists only those the agent can access', async () => {
    const { chatId } = await buildChat(organization, customer, {
      texts: ['Hello'],
      groupIds: [SALES],
      continuous: true,
    });
    const { customer_last_event_created_at: last, ...found } = await get();
    expect(found).toMatchObject({ chat_ids: [], statistics: { chats_count: 1, threads_count: 1 } });
    expect(['chatting', 'queued']).toContain(found.state);
    expect(last).toBe(found.created_at);
    expect(await get(customer.id, organization.owner)).toMatchObject({ chat_ids: [chatId] });
    await organization.scope
      .insert('chatUsers', {
        ...{ chatId, kind: 'agent', userId: normal.login, present: true, seenUpTo: null },
        joinedAt: test.clock.now(),
      })
      .execute();
    expect(await get()).toMatchObject({ chat_ids: [chatId] });
    test.clock.advance(5000);
    await sendEvent(asAgent(organization.owner), { chatId, event: messageDraft('Hi'), attachToLastThread: false });
    const { agent_last_event_created_at: answered } = await get();
    expect(answered > last).toBe(true);
  });

  it('does not find customers of other organizations or unknown ones', async () => {
    const stranger = await buildCustomer(other);
    for (const id of [stranger.id, randomUUID(), 'nobody', '%'])
      expect(await call(normal, 'get_customer', { id })).toMatchObject(notFound);
    expect(await call(normal, 'get_customer', {})).toMatchObject(errorResponse(400, 'validation'));
    expect(await call(customer as never, 'get_customer', { id: customer.id })).toMatchObject(
      errorResponse(401, 'authentication'),
    );
  });
});

describe('create_customer', () => {
  it('creates a customer without a visit', async () => {
    const details = {
      name: 'Dora',
      email: 'dora@mail.test',
      avatar: 'https://x.test/d.png',
      session_fields: [{ a: '1' }],
    };
    const { status, body } = await call(normal, 'create_customer', details);
    expect(status).toBe(200);
    const found = await get(body.customer_id);
    expect(found).toMatchObject({
      ...details,
      state: 'offline',
      online: false,
      group_ids: [0],
      statistics: { visits_count: 0 },
    });
    expect(found).not.toHaveProperty('last_visit');
    expect(await call(normal, 'create_customer')).toMatchObject({ status: 200 });
    expect(await call(normal, 'create_customer', { name: null, email: '' })).toMatchObject({ status: 200 });
  });

  it('rejects invalid email addresses and avatars', async () => {
    for (const wrong of [{ email: 'nobody' }, { avatar: 'javascript:alert(1)' }, { name: 'x'.repeat(256) }])
      expect(await call(normal, 'create_customer', wrong)).toMatchObject(errorResponse(400, 'validation'));
    const fields = Array.from({ length: 101 }, (_, at) => ({ [`k${at}`]: 'v' }));
    expect(await call(normal, 'create_customer', { session_fields: fields })).toMatchObject(
      errorResponse(400, 'validation'),
    );
    expect(await call(normal, 'create_customer', { session_fields: fields.slice(1) })).toMatchObject({ status: 200 });
  });
});

describe('update_customer and set_customer_session_fields', () => {
  it('take effect immediately, even during a chat, and replace pending changes of the customer', async () => {
    const { chatId } = await buildChat(organization, customer);
    const self = callAs(test, organization, customer);
    await self('update_customer', { name: 'Own choice', email: 'own@mail.test' });
    expect(await call(normal, 'update_customer', { id: customer.id, name: 'Agent’s choice' })).toMatchObject(done);
    expect(await get()).toMatchObject({ name: 'Agent’s choice' });
    expect(await get()).not.toHaveProperty('email');
    await self('deactivate_chat', { id: chatId });
    expect(await get()).toMatchObject({ name: 'Agent’s choice', email: 'own@mail.test' });
  });

  it('replace session fields', async () => {
    await call(normal, 'update_customer', { id: customer.id, session_fields: [{ a: '1' }, { b: '2' }] });
    expect(
      await call(normal, 'set_customer_session_fields', { id: customer.id, session_fields: [{ c: '3' }] }),
    ).toMatchObject(done);
    expect((await get()).session_fields).toEqual([{ c: '3' }]);
    await call(normal, 'set_customer_session_fields', { id: customer.id, session_fields: [] });
    expect((await get()).session_fields).toEqual([]);
  });

  it('reject empty input, unknown customers and customers of others', async () => {
    expect(await call(normal, 'update_customer', { id: customer.id })).toMatchObject(errorResponse(400, 'validation'));
    const stranger = await buildCustomer(other);
    for (const id of [stranger.id, randomUUID(), 'nobody']) {
      expect(await call(normal, 'update_customer', { id, name: 'X' })).toMatchObject(notFound);
      expect(await call(normal, 'set_customer_session_fields', { id, session_fields: [] })).toMatchObject(notFound);
    }
    expect(await get(stranger.id, other.owner)).not.toHaveProperty('name');
  });

  it('allow concurrent changes by two agents', async () => {
    const writes = Array.from({ length: 6 }, (_, at) =>
      call(normal, 'update_customer', { id: customer.id, name: `N${at}`, session_fields: [{ n: `${at}` }] }),
    );
    for (const answer of await Promise.all(writes)) expect(answer).toMatchObject(done);
    const { name, session_fields } = await get();
    expect(session_fields).toEqual([{ n: name.slice(1) }]);
  });
});

describe('ban_customer and unban_customer', () => {
  const asCustomer = () => callAs(test, organization, customer)('get_customer');

  it('ban a customer and remove the ban', async () => {
    expect(await call(normal, 'ban_customer', { id: customer.id, ban: { days: 2 } })).toMatchObject(done);
    expect(await asCustomer()).toMatchObject(errorResponse(403, 'customer_banned'));
    expect((await get()).banned_until > (await get()).created_at).toBe(true);
    const { bannedBy } = await organization.scope
      .from('bans')
      .where('customerId', '=', customer.id)
      .select('bannedBy')
      .executeTakeFirstOrThrow();
    expect(bannedBy).toBe(normal.login);
    expect(await call(normal, 'unban_customer', { id: customer.id })).toMatchObject(done);
    expect(await asCustomer()).toMatchObject({ status: 200 });
    expect(await get()).not.toHaveProperty('banned_until');
    expect(await call(normal, 'unban_customer', { id: customer.id, ip: null })).toMatchObject(done);
  });

  it('remove the ban of an IP address', async () => {
    await addBan(organization.scope, { ip: '127.0.0.1', days: 1 });
    expect(await asCustomer()).toMatchObject(errorResponse(403, 'customer_banned'));
    expect(await call(normal, 'unban_customer', { ip: '::ffff:127.0.0.1' })).toMatchObject(done);
    expect(await asCustomer()).toMatchObject({ status: 200 });
  });

  it('reject days out of range, two targets, no target, and customers of others', async () => {
    for (const days of [0, 3651, -1, 1.5, '2'])
      expect(await call(normal, 'ban_customer', { id: customer.id, ban: { days } })).toMatchObject(
        errorResponse(400, 'validation'),
      );
    expect(await call(normal, 'ban_customer', { id: customer.id })).toMatchObject(errorResponse(400, 'validation'));
    for (const body of [{}, { id: customer.id, ip: '127.0.0.1' }, { ip: 'here' }])
      expect(await call(normal, 'unban_customer', body)).toMatchObject(errorResponse(400, 'validation'));
    const stranger = await buildCustomer(other);
    for (const id of [stranger.id, randomUUID(), 'nobody']) {
      expect(await call(normal, 'ban_customer', { id, ban: { days: 1 } })).toMatchObject(notFound);
      expect(await call(normal, 'unban_customer', { id })).toMatchObject(notFound);
    }
    expect(await call(normal, 'ban_customer', { id: customer.id, ban: { days: 3650 } })).toMatchObject(done);
  });
});

describe('follow_customer and unfollow_customer', () => {
  it('apply to one agent and are idempotent', async () => {
    for (const operation of ['follow_customer', 'follow_customer'])
      expect(await call(normal, operation, { id: customer.id })).toMatchObject(done);
    expect(await get()).toMatchObject({ followed: true });
    expect(await get(customer.id, organization.owner)).toMatchObject({ followed: false });
    for (const operation of ['unfollow_customer', 'unfollow_customer'])
      expect(await call(normal, operation, { id: customer.id })).toMatchObject(done);
    expect(await get()).toMatchObject({ followed: false });
    const both = await Promise.all([1, 2].map(() => call(normal, 'follow_customer', { id: customer.id })));
    for (const answer of both) expect(answer).toMatchObject(done);
  });

  it('do not find customers of other organizations', async () => {
    const stranger = await buildCustomer(other);
    for (const operation of ['follow_customer', 'unfollow_customer'])
      for (const id of [stranger.id, randomUUID(), 'nobody'])
        expect(await call(normal, operation, { id })).toMatchObject(notFound);
  });
});

it('can be read but not changed after the license has expired', async () => {
  const ended = await buildOrganization(test);
  const { id } = await buildCustomer(ended);
  await test.context.database.kysely
    .updateTable('organizations')
    .where('id', '=', ended.id)
    .set({ status: 'expired' })
    .execute();
  expect(await call(ended.owner, 'get_customer', { id })).toMatchObject({ status: 200 });
  expect(await call(ended.owner, 'list_customers')).toMatchObject({ status: 200, body: { total_customers: 1 } });
  for (const [operation, body] of [
    ['update_customer', { id, name: 'X' }],
    ['ban_customer', { id, ban: { days: 1 } }],
    ['create_customer', {}],
    ['follow_customer', { id }],
  ] as const)
    expect(await call(ended.owner, operation, body)).toMatchObject(errorResponse(402, 'license_expired'));
});
