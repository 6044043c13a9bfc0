import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { listGroupStatuses } from '#server/domain/support/groups/statuses.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import {
  callAgent,
  changesOf,
  countConnections,
  listen,
  logIn,
  nextPush,
  statusOf,
} from '../../testing/builders/presence.ts';

const DISCONNECT_GRACE_MS = 30_000;

let test: TestApp;
let other: TestApp;
let organization: TestOrganization;
let alma: TestAgent;

beforeAll(async () => {
  test = await listen(await startTestApp());
  other = await listen(await startTestApp({ beside: test }));
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  alma = await buildAgent(organization);
});

const tick = () => test.context.background.scheduler.runFrequent();
const status = () => statusOf(organization, alma);
const connections = () => countConnections(organization, alma);
const isGone = () => expect.poll(connections).toBe(0);
const assigneeOf = async (chatId: string) =>
  (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
    .assigneeId;

describe('a login', () => {
  it('sets an offline agent to the preferred status and announces it', async () => {
    const first = await logIn(test, alma);
    expect(first.profile).toMatchObject({ id: alma.login, routing_status: 'accepting_chats', present: true });
    expect(await nextPush(first, 'routing_status_set')).toMatchObject({
      payload: { agent_id: alma.login, status: 'accepting_chats' },
    });
    expect(await changesOf(organization, alma)).toEqual([{ status: 'accepting chats', reason: 'signed_in' }]);
    await first.close();
  });

  it('keeps a status that was set explicitly', async () => {
    await organization.scope
      .update('agents')
      .where('id', '=', alma.login)
      .set({ loginStatus: 'not accepting chats' })
      .execute();
    const first = await logIn(test, alma);
    expect(first.profile.routing_status).toBe('not_accepting_chats');
    await setAgentStatus(organization.scope, { login: alma.login, status: 'accepting chats' });
    const second = await logIn(other, alma);
    expect(second.profile.routing_status).toBe('accepting_chats');
    await Promise.all([first.close(), second.close()]);
  });

  it('changes nothing if the agent is away', async () => {
    const client = await logIn(test, alma, { away: true });
    expect(client.profile.routing_status).toBe('offline');
    expect(await changesOf(organization, alma)).toEqual([]);
    await client.close();
  });

  it('ignores unknown values', async () => {
    const client = await logIn(test, alma, {
      timezone: 'Mars/Olympus',
      application: { name: 'a client', version: '1.0' },
      customer_monitoring_level: 'all of them',
      push_notifications: { platform: 'ios' },
      reconnect: null,
      anything: { at: 'all' },
    });
    expect(client.answer).toMatchObject({ success: true, payload: { license: { in_trial: true } } });
    expect(client.answer.payload.license.creation_timestamp).toBe(Math.floor(test.clock.now().getTime() / 1000));
    await client.close();
    await logIn(test, alma, { timezone: 'Europe/Warsaw' }).then(({ close }) => close());
    const { timezone } = await organization.scope
      .from('agents')
      .where('id', '=', alma.login)
      .select('timezone')
      .executeTakeFirstOrThrow();
    expect(timezone).toBe('Europe/Warsaw');
  });

  it('allows reading after the license has expired', async () => {
    const { kysely } = test.context.database;
    await kysely.updateTable('organizations').where('id', '=', organization.id).set({ status: 'expired' }).execute();
    const client = await logIn(test, alma);
    expect(client.profile.routing_status).toBe('not_accepting_chats');
    expect(await client.request('list_chats', {})).toMatchObject({ success: true });
    const refused = { success: false, payload: { error: { type: 'license_expired' } } };
    expect(await client.request('set_routing_status', { status: 'accepting_chats' })).toMatchObject(refused);
    expect(await client.request('logout')).toMatchObject({ success: true });
    await client.closed;
    expect(await status()).toBe('offline');
  });
});

describe('an agent who loses the last socket', () => {
  it('goes offline after 30 seconds, and the chats are reassigned', async () => {
    const bob = await buildAgent(organization);
    const client = await logIn(test, alma);
    const { chatId } = await buildChat(organization, await buildCustomer(organization), { texts: ['Hello'] });
    expect(await assigneeOf(chatId)).toBe(alma.login);
    await logIn(other, bob);
    await client.close();
    await isGone();
    test.clock.advance(DISCONNECT_GRACE_MS - 1);
    await tick();
    expect(await status()).toBe('accepting chats');
    test.clock.advance(1);
    other.app.sockets.sweep();
    other.app.sockets.sweep();
    await expect.poll(() => countConnections(organization, bob)).toBe(1);
    await tick();
    expect(await status()).toBe('offline');
    expect((await changesOf(organization, alma)).at(-1)).toEqual({ status: 'offline', reason: 'disconnected' });
    expect(await assigneeOf(chatId)).toBe(bob.login);
  });

  it('keeps the status after reconnecting in time', async () => {
    const first = await logIn(test, alma);
    await callAgent(test, alma)('set_routing_status', { status: 'not_accepting_chats' });
    await first.close();
    await isGone();
    test.clock.advance(DISCONNECT_GRACE_MS - 1);
    const second = await logIn(other, alma, { reconnect: true });
    expect(second.profile.routing_status).toBe('not_accepting_chats');
    test.clock.advance(1000);
    await tick();
    expect(await status()).toBe('not accepting chats');
    await second.close();
  });

  it('gets the previous status back after reconnecting late, unless the agent logged out', async () => {
    const first = await logIn(test, alma);
    await callAgent(test, alma)('set_routing_status', { status: 'not_accepting_chats' });
    await first.close();
    await isGone();
    test.clock.advance(DISCONNECT_GRACE_MS);
    await tick();
    expect(await status()).toBe('offline');
    const second = await logIn(test, alma, { reconnect: true });
    expect(second.profile.routing_status).toBe('not_accepting_chats');
    await second.request('logout');
    await second.closed;
    const third = await logIn(test, alma, { reconnect: true });
    expect(third.profile.routing_status).toBe('offline');
    await third.close();
  });

  it('stays online while a socket is open in any process', async () => {
    const [first, second] = [await logIn(test, alma), await logIn(other, alma)];
    await first.close();
    await expect.poll(connections).toBe(1);
    test.clock.advance(DISCONNECT_GRACE_MS - 1000);
    other.app.sockets.sweep();
    other.app.sockets.sweep();
    await vi.waitFor(async () => {
      const alive = await organization.scope
        .from('agentConnections')
        .where('agentId', '=', alma.login)
        .select('aliveUntil')
        .executeTakeFirstOrThrow();
      expect(alive.aliveUntil.getTime()).toBe(test.clock.now().getTime() + DISCONNECT_GRACE_MS);
    }, 60_000);
    test.clock.advance(2000);
    await tick();
    expect(await status()).toBe('accepting chats');
    await second.close();
  });

  it('keeps a status that was set without a socket', async () => {
    await setAgentStatus(organization.scope, { login: alma.login, status: 'accepting chats' });
    test.clock.advance(10 * DISCONNECT_GRACE_MS);
    await tick();
    expect(await status()).toBe('accepting chats');
    const client = await logIn(test, alma);
    await client.close();
    await isGone();
    await setAgentStatus(organization.scope, { login: alma.login, status: 'accepting chats' });
    test.clock.advance(10 * DISCONNECT_GRACE_MS);
    await tick();
    expect(await status()).toBe('accepting chats');
  });
});

describe('a server', () => {
  it('does not set agents offline when a process stops and they reconnect', async () => {
    const third = await listen(await startTestApp({ beside: test }));
    const client = await logIn(third, alma);
    await third[Symbol.asyncDispose]();
    expect(await client.closed).toBe(1001);
    expect(await connections()).toBe(1);
    test.clock.advance(DISCONNECT_GRACE_MS - 1);
    await tick();
    expect(await status()).toBe('accepting chats');
    const again = await logIn(other, alma, { reconnect: true });
    test.clock.advance(1);
    await other.context.background.scheduler.runFrequent();
    expect(await status()).toBe('accepting chats');
    expect(await connections()).toBe(1);
    await again.close();
  });

  it('sets the agents of a crashed process offline', async () => {
    const third = await listen(await startTestApp({ beside: test }));
    await logIn(third, alma);
    await third[Symbol.asyncDispose]();
    test.clock.advance(DISCONNECT_GRACE_MS);
    const { scope } = organization;
    expect(await listGroupStatuses(scope, { all: true })).toEqual([{ id: 0, status: 'online' }]);
    await Promise.all([tick(), other.context.background.scheduler.runFrequent()]);
    expect(await status()).toBe('offline');
    expect(await listGroupStatuses(scope, { all: true })).toEqual([{ id: 0, status: 'offline' }]);
    expect(await connections()).toBe(0);
    expect((await changesOf(organization, alma)).map(({ reason }) => reason)).toEqual(['signed_in', 'disconnected']);
  });

  it('restores sockets after a pause in keep-alives', async () => {
    const client = await logIn(other, alma);
    await nextPush(client, 'routing_status_set');
    test.clock.advance(DISCONNECT_GRACE_MS);
    await other.context.background.scheduler.runFrequent();
    expect(await nextPush(client, 'routing_status_set')).toMatchObject({ payload: { status: 'offline' } });
    other.app.sockets.sweep();
    other.app.sockets.sweep();
    expect(await nextPush(client, 'routing_status_set')).toMatchObject({ payload: { status: 'accepting_chats' } });
    expect(await connections()).toBe(1);
    await client.close();
  });
});

describe('logout', () => {
  it('closes the connection and sets the agent offline with the last one', async () => {
    const [first, second] = [await logIn(test, alma), await logIn(other, alma)];
    expect(await first.request('logout', {}, { request_id: 'bye' })).toMatchObject({
      request_id: 'bye',
      success: true,
    });
    expect(await first.closed).toBe(1000);
    expect(await status()).toBe('accepting chats');
    expect(await second.request('logout')).toMatchObject({ success: true });
    expect(await status()).toBe('offline');
    expect((await changesOf(organization, alma)).at(-1)).toEqual({ status: 'offline', reason: 'signed_out' });
    await second.closed;
    expect(await connections()).toBe(0);
  });
});

describe('an agent who is away', () => {
  it('on all connections gets no chats but keeps the status, and gets queued chats after returning', async () => {
    const [first, second] = [await logIn(test, alma), await logIn(other, alma)];
    const customer = await buildCustomer(organization);
    const start = () => buildChat(organization, customer, { texts: ['Hello'], continuous: true });
    expect(await first.request('set_away_status', { away: true })).toMatchObject({ success: true, payload: {} });
    expect(await assigneeOf((await start()).chatId)).toBe(alma.login);
    await second.request('set_away_status', { away: true });
    expect(await status()).toBe('accepting chats');
    const waiting = await start();
    expect(await assigneeOf(waiting.chatId)).toBeNull();
    await first.request('set_away_status', { away: false });
    expect(await assigneeOf(waiting.chatId)).toBe(alma.login);
    await Promise.all([first.close(), second.close()]);
  });

  it('must send a boolean', async () => {
    const client = await logIn(test, alma);
    const refused = { success: false, payload: { error: { type: 'validation' } } };
    expect(await client.request('set_away_status', {})).toMatchObject(refused);
    expect(await client.request('set_away_status', { away: 'yes' })).toMatchObject(refused);
    await client.close();
  });
});

it('change_push_notifications is accepted without effect', async () => {
  const client = await logIn(test, alma);
  const change = { firebase_token: 'x', platform: 'android', enabled: true };
  expect(await client.request('change_push_notifications', change)).toMatchObject({ success: true, payload: {} });
  await client.close();
});

it('socket-only actions are not available over HTTP', async () => {
  const call = callAgent(test, alma);
  for (const name of ['logout', 'set_away_status', 'change_push_notifications', 'login', 'ping'])
    expect((await call(name, { away: true })).status).toBe(404);
});
