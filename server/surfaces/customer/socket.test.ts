import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LoginResponse } from '#contracts/customer/login.ts';
import { addBan } from '#server/domain/support/customers/bans.ts';
import { revokeToken } from '#server/domain/support/customers/tokens.ts';
import { findCurrentVisit } from '#server/domain/support/visits/current-visit.ts';
import { isOnline } from '#server/domain/support/visits/presence.ts';
import { compileResponseCheck } from '#server/http/validation.ts';
import { buildChat, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { disconnectPush, failure, type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

const LOGIN_SWEEPS = 7;
const SWEEPS_PER_MINUTE = 12;
const TOKEN_LIFETIME_MS = 28_800_000;
const MAX_SOCKETS = 10;

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  test = await startListeningApp();
  organization = await buildOrganization(test);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await buildCustomer(organization);
});

const bearer = ({ token }: TestCustomer) => ({ token: `Bearer ${token}` });
const loginAnswerError = compileResponseCheck(LoginResponse);

describe('login', () => {
  it('returns the customer and its chats', async () => {
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    const client = await test.connect(organization);
    const { payload, ...frame } = await client.request(
      'login',
      {
        ...bearer(customer),
        customer_page: { url: 'https://shop.test/', title: 'Shop' },
        application: { name: 'widget', version: '1' },
        customer_side_storage: {},
        is_mobile: false,
      },
      { request_id: 'first' },
    );
    expect(frame).toEqual({ request_id: 'first', action: 'login', type: 'response', success: true });
    expect(loginAnswerError(payload)).toBeUndefined();
    expect(payload).toMatchObject({
      customer_id: customer.id,
      customer: { id: customer.id, type: 'customer', statistics: { chats_count: 1, threads_count: 1 } },
      has_active_thread: true,
      chats: [{ chat_id: chatId, has_unread_events: false }],
      __priv_dynamic_config: {
        organization_id: organization.id,
        customer_groups: { monitoring: { id: 0 } },
        online_groups_ids: [0],
        domain_allowed: true,
      },
    });
    expect(payload).not.toHaveProperty('greeting');
    await client.close();
  });

  it('keeps the visit open while a socket is open', async () => {
    const { scope } = organization;
    const clients = [await test.logIn(organization, customer), await test.logIn(organization, customer)];
    test.clock.advance(100_000);
    for (let sweep = 0; sweep < SWEEPS_PER_MINUTE; sweep++) {
      test.app.sockets.sweep();
      for (const client of clients) await client.request('ping');
    }
    const lastSeenAt = test.clock.now();
    await expect.poll(() => findCurrentVisit(scope, customer.id)).toMatchObject({ lastSeenAt });
    test.clock.advance(100_000);
    await clients[0]!.close();
    expect(await isOnline(scope, customer.id)).toBe(true);
    await clients[1]!.close();
    await expect.poll(() => isOnline(scope, customer.id)).toBe(false);
  });

  it('returns which chats have unread events', async () => {
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    test.clock.advance(1000);
    await test.context.services.support.appendLane.append({
      organizationId: organization.id,
      chatId,
      author: { kind: 'agent', id: organization.owner.login },
      draft: messageDraft('Hi'),
      attachToLastThread: false,
      at: test.clock.now(),
    });
    const client = await test.connect(organization);
    const { payload } = await client.request('login', bearer(customer));
    expect(payload.chats).toEqual([{ chat_id: chatId, has_unread_events: true }]);
    await client.close();
  });

  it('updates the customer with the given fields', async () => {
    const fields = [{ plan: 'gold' }, { seats: '3' }];
    const client = await test.connect(organization);
    const { payload } = await client.request('login', {
      ...bearer(customer),
      customer: { name: 'Cleo', email: 'cleo@example.test', session_fields: fields },
    });
    expect(payload.customer).toMatchObject({ name: 'Cleo', email: 'cleo@example.test', session_fields: fields });
    await client.close();
  });

  it('rejects invalid tokens, allows another attempt, and rejects other requests until then', async () => {
    const client = await test.connect(organization);
    expect(await client.request('list_chats', {})).toMatchObject(failure('authentication'));
    expect(await client.request('login', { token: 'Bearer dal:wrong' })).toMatchObject(failure('authentication'));
    expect(await client.request('login', { token: customer.token })).toMatchObject(failure('authentication'));
    expect(await client.request('login', {})).toMatchObject(failure('validation'));
    expect(await client.request('ping')).toMatchObject({ success: true });
    expect(await client.request('login', bearer(customer))).toMatchObject({ success: true });
    expect(await client.request('login', bearer(customer))).toMatchObject(failure('validation'));
    await client.close();
  });

  it('returns the region of a token of another region', async () => {
    const client = await test.connect(organization);
    const refused = await client.request('login', { token: `Bearer fra:${customer.token.slice(4)}` });
    expect(refused.payload.error).toMatchObject({ type: 'misdirected_request', data: { region: 'fra' } });
    await client.close();
  });

  it.each([
    ['no organization', undefined, 'validation'],
    ['one that does not exist', { id: crypto.randomUUID() }, 'license_not_found'],
  ])('requires the organization in the URL, not %s', async (_, address, type) => {
    const client = await test.connect(address);
    expect(await client.request('login', { token: 'Bearer dal:wrong' })).toMatchObject(failure(type));
    await client.close();
  });

  it('rejects customers of another organization, banned customers, and ended licenses', async () => {
    const ended = await buildOrganization(test);
    const theirs = await buildCustomer(ended);
    const here = await test.connect(organization);
    expect(await here.request('login', bearer(theirs))).toMatchObject(failure('authentication'));
    await addBan(organization.scope, { customerId: customer.id, days: 1 });
    expect(await here.request('login', bearer(customer))).toMatchObject(failure('customer_banned'));
    await here.close();
    const { db } = test.context.services;
    await db.updateTable('organizations').where('id', '=', ended.id).set({ status: 'expired' }).execute();
    const there = await test.connect(ended);
    expect(await there.request('login', bearer(theirs))).toMatchObject(failure('license_expired'));
    await there.close();
  });

  it('must follow within the timeout', async () => {
    const [silent, loggedIn] = [await test.connect(organization), await test.logIn(organization, customer)];
    for (let sweep = 0; sweep < LOGIN_SWEEPS; sweep++) {
      test.app.sockets.sweep();
      expect(await loggedIn.request('ping')).toMatchObject({ success: true });
    }
    expect(await silent.nextPush()).toMatchObject(disconnectPush('connection_timeout'));
    expect(await silent.closed).toBe(1008);
    await loggedIn.close();
  });
});

describe('a socket is closed with a reason', () => {
  it('when its token expires', async () => {
    const client = await test.logIn(organization, customer);
    test.clock.advance(TOKEN_LIFETIME_MS);
    expect(await client.request('list_chats', {})).toMatchObject(failure('authentication'));
    test.app.sockets.sweep();
    expect(await client.nextPush()).toMatchObject(disconnectPush('access_token_expired'));
    expect(await client.closed).toBe(1008);
  });

  it('when its token is revoked, unlike other sockets of the same customer', async () => {
    const other = await renewToken(organization, customer);
    const [revoked, staying] = [await test.logIn(organization, customer), await test.logIn(organization, other)];
    await revokeToken(organization.scope, customer.token);
    expect(await revoked.nextPush()).toMatchObject(disconnectPush('access_token_revoked'));
    expect(await revoked.closed).toBe(1008);
    expect(await staying.request('list_chats', {})).toMatchObject({ success: true });
    await staying.close();
  });

  it('when the customer is banned', async () => {
    const other = await buildCustomer(organization);
    const [banned, staying] = [await test.logIn(organization, customer), await test.logIn(organization, other)];
    await addBan(organization.scope, { customerId: customer.id, days: 1 });
    expect(await banned.nextPush()).toMatchObject(disconnectPush('customer_banned'));
    expect(await banned.closed).toBe(1008);
    expect(await staying.request('list_chats', {})).toMatchObject({ success: true });
    await staying.close();
  });

  it('when the license ends', async () => {
    const ending = await buildOrganization(test);
    const client = await test.logIn(ending, await buildCustomer(ending));
    const { db } = test.context.services;
    await db.updateTable('organizations').where('id', '=', ending.id).set({ status: 'expired' }).execute();
    await ending.scope.transaction(async (tx) => tx.emit({ type: 'credentials_changed', organizationId: ending.id }));
    expect(await client.nextPush()).toMatchObject(disconnectPush('license_expired'));
    expect(await client.closed).toBe(1008);
  });

  it('when the customer opens too many, starting with the longest idle one', async () => {
    const clients = [await test.logIn(organization, customer), await test.logIn(organization, customer)];
    test.app.sockets.sweep();
    await clients[0]!.request('ping');
    while (clients.length <= MAX_SOCKETS) clients.push(await test.logIn(organization, customer));
    expect(await clients[1]!.nextPush()).toMatchObject(disconnectPush('too_many_connections'));
    expect(await clients[1]!.closed).toBe(1008);
    const staying = clients.filter((_, at) => at !== 1);
    for (const client of staying) expect(await client.request('list_chats', {})).toMatchObject({ success: true });
    for (const client of staying) await client.close();
  });

  it('when it sends a binary frame', async () => {
    const client = await test.logIn(organization, customer);
    client.socket.send(Buffer.from('{"action":"ping"}'), { binary: true });
    expect(await client.nextPush()).toMatchObject(disconnectPush('connection_evicted'));
    expect(await client.closed).toBe(1003);
  });

  it('when the server shuts down', async () => {
    await using leaving = await startListeningApp({ beside: test });
    const client = await leaving.logIn(organization, customer);
    await leaving.app.close();
    expect(await client.nextPush()).toMatchObject(disconnectPush('service_temporarily_unavailable'));
    expect(await client.closed).toBe(1001);
  });
});
