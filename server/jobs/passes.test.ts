import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { setWorkSchedule } from '#server/domain/support/agents/presence/work-schedule.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { connectCustomer, disconnectCustomer } from '#server/domain/support/visits/presence.ts';
import type { ShiftDay } from '#server/storage/tables/routing.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let test: TestApp;
let organization: TestOrganization;
let alma: TestAgent;
let customer: TestCustomer;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  alma = await buildAgent(organization);
  customer = await buildCustomer(organization);
});

const tick = () => test.context.clockwork.tick();
const set = (settings: { idleCloseMinutes?: number; unassignMinutes?: number; status?: 'expired' | 'trial' }) =>
  test.context.database.kysely.updateTable('organizations').where('id', '=', organization.id).set(settings).execute();
const accept = ({ login } = alma, status: 'accepting chats' | 'not accepting chats' | 'offline' = 'accepting chats') =>
  setAgentStatus(organization.scope, { login, status });
const statusOf = async ({ login } = alma) =>
  (await organization.scope.from('agents').where('id', '=', login).select('status').executeTakeFirstOrThrow()).status;
const reasons = async ({ login } = alma) =>
  (
    await organization.scope
      .from('agentStatusChanges')
      .where('agentId', '=', login)
      .orderBy('id')
      .select('reason')
      .execute()
  ).map(({ reason }) => reason);
const chatOf = (id: string) =>
  organization.scope.from('chats').where('id', '=', id).select(['active', 'assigneeId']).executeTakeFirstOrThrow();
const lastWords = async (threadId: string) => {
  const { content } = await organization.scope
    .from('events')
    .where('threadId', '=', threadId)
    .orderBy('number', 'desc')
    .select('content')
    .limit(1)
    .executeTakeFirstOrThrow();
  return (content as { systemMessageType?: string }).systemMessageType;
};
const write = (chatId: string, scope = customerScope(organization, customer)) =>
  sendEvent(scope, { chatId, event: messageDraft('Anybody?'), attachToLastThread: false });
const asAgent = ({ login }: TestAgent) =>
  openOrganizationScope(
    test.context.services,
    { kind: 'agent', id: login, permission: 'owner', groupIds: [0] },
    organization.id,
  );

describe('an idle chat', () => {
  it('is closed by the system after a quarter of an hour without a message', async () => {
    await accept();
    const { chatId, threadId } = await buildChat(organization, customer, { texts: ['Hello'] });
    test.clock.advance(14 * MINUTE_MS);
    await write(chatId);
    test.clock.advance(15 * MINUTE_MS - 1);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ active: true });
    test.clock.advance(1);
    await tick();
    expect(await chatOf(chatId)).toEqual({ active: false, assigneeId: null });
    expect(await lastWords(threadId)).toBe('routing.archived_inactive');
  });

  it('without any message counts from its beginning; a chat that waits is not idle; nor when the account says never', async () => {
    const waiting = await buildChat(organization, customer, { continuous: true });
    await accept();
    const silent = await buildChat(organization, customer);
    test.clock.advance(15 * MINUTE_MS);
    await set({ idleCloseMinutes: 0 });
    await tick();
    expect(await chatOf(silent.chatId)).toMatchObject({ active: true });
    await set({ idleCloseMinutes: 15 });
    await accept(alma, 'offline');
    await tick();
    expect(await chatOf(waiting.chatId)).toMatchObject({ active: true });
    expect(await chatOf(silent.chatId)).toMatchObject({ active: true });
  });

  it('is closed once, whoever looks', async () => {
    const other = await startTestApp({ beside: test });
    await accept();
    const { chatId, threadId } = await buildChat(organization, customer, { texts: ['Hello'] });
    test.clock.advance(16 * MINUTE_MS);
    await Promise.all([tick(), other.context.clockwork.tick(), tick()]);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ active: false });
    const events = await organization.scope.from('events').where('threadId', '=', threadId).select('type').execute();
    expect(events).toHaveLength(2);
    await other[Symbol.asyncDispose]();
  });
});

describe('an unanswered chat', () => {
  it('goes to somebody else when its agent leaves the customer waiting', async () => {
    const bob = await buildAgent(organization);
    await set({ unassignMinutes: 3, idleCloseMinutes: 60 });
    await accept();
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    await write(chatId, asAgent(alma));
    await accept(bob);
    test.clock.advance(3 * MINUTE_MS);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    await write(chatId);
    test.clock.advance(3 * MINUTE_MS - 1);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    test.clock.advance(1);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ active: true, assigneeId: bob.login });
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: bob.login });
  });

  it('stays where it is when the account does not say so', async () => {
    const bob = await buildAgent(organization);
    await accept();
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    await accept(bob);
    test.clock.advance(14 * MINUTE_MS);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
  });
});

describe('a chat in the queue', () => {
  const queued = async (continuous = false) => {
    await accept();
    await organization.scope.update('agents').where('id', '=', alma.login).set({ maxChatsCount: 0 }).execute();
    return buildChat(organization, customer, { texts: ['Hello'], continuous });
  };
  const stayOf = (chatId: string) =>
    organization.scope.from('queueStays').where('chatId', '=', chatId).select(['outcome']).executeTakeFirst();

  it('whose customer went away counts as left', async () => {
    const visitor = customerScope(organization, customer);
    await connectCustomer(visitor, {});
    const { chatId, threadId } = await queued();
    test.clock.advance(MINUTE_MS);
    await disconnectCustomer(visitor, customer.id);
    test.clock.advance(2 * MINUTE_MS - 1);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ active: true });
    test.clock.advance(1);
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ active: false });
    expect(await stayOf(chatId)).toEqual({ outcome: 'left' });
    expect(await lastWords(threadId)).toBe('archived_customer_disconnected');
  });

  it('waits for whoever is there, came back, can wait, or was never seen with a socket', async () => {
    const visitor = customerScope(organization, customer);
    const unseen = await queued();
    test.clock.advance(10 * MINUTE_MS);
    await tick();
    expect(await chatOf(unseen.chatId)).toMatchObject({ active: true });
    await connectCustomer(visitor, {});
    const continuous = await queued(true);
    const other = await queued();
    test.clock.advance(2 * MINUTE_MS);
    await tick();
    expect(await chatOf(other.chatId)).toMatchObject({ active: true });
    await disconnectCustomer(visitor, customer.id);
    test.clock.advance(3 * MINUTE_MS);
    await tick();
    expect(await chatOf(continuous.chatId)).toMatchObject({ active: true });
    expect(await chatOf(other.chatId)).toMatchObject({ active: false });
  });

  it('is found by the safety net whatever happened to the word that somebody has room', async () => {
    const { chatId } = await queued();
    await organization.scope.update('agents').where('id', '=', alma.login).set({ maxChatsCount: 3 }).execute();
    await tick();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    expect(await stayOf(chatId)).toEqual({ outcome: 'assigned' });
  });
});

describe('a shift', () => {
  const day: ShiftDay = { enabled: true, start: '09:00', end: '17:00' };
  const everyDay = Object.fromEntries(
    ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((name) => [name, day]),
  );
  /** To this time of the next day. */
  const advanceTo = (time: string) => {
    const now = test.clock.now().getTime();
    const [hours, minutes] = time.split(':').map(Number) as [number, number];
    const wanted = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS + (hours * 60 + minutes) * MINUTE_MS;
    test.clock.advance(wanted - now);
  };
  const schedule = () =>
    setWorkSchedule(organization.scope, { login: alma.login, schedule: everyDay, timezone: 'UTC' });

  it('begins and ends for whoever is there; what is set by hand stays until the next turn', async () => {
    advanceTo('08:59');
    await accept(alma, 'not accepting chats');
    await schedule();
    await tick();
    expect(await statusOf()).toBe('not accepting chats');
    test.clock.advance(MINUTE_MS);
    await tick();
    expect(await statusOf()).toBe('accepting chats');
    await accept(alma, 'not accepting chats');
    test.clock.advance(60 * MINUTE_MS);
    await tick();
    expect(await statusOf()).toBe('not accepting chats');
    await accept();
    test.clock.advance(7 * 60 * MINUTE_MS);
    await tick();
    expect(await statusOf()).toBe('not accepting chats');
    expect(await reasons()).toEqual(['manual', 'schedule', 'manual', 'manual', 'schedule']);
    await accept();
    await tick();
    expect(await statusOf()).toBe('accepting chats');
  });

  it('wakes nobody who is offline', async () => {
    advanceTo('08:00');
    await schedule();
    advanceTo('09:30');
    await tick();
    expect(await statusOf()).toBe('offline');
    expect(await reasons()).toEqual([]);
  });

  it('is not forgotten by a server that was down at its end', async () => {
    advanceTo('10:00');
    await accept();
    await schedule();
    advanceTo('20:00');
    const started = await startTestApp({ beside: test });
    await started.context.clockwork.tick();
    expect(await statusOf()).toBe('not accepting chats');
    await started[Symbol.asyncDispose]();
  });

  it('is set by administrators, and must make sense', async () => {
    const { scope } = organization;
    const bad = (name: string, more: Partial<ShiftDay>) =>
      setWorkSchedule(scope, { login: alma.login, schedule: { [name]: { ...day, ...more } } });
    const invalid = { code: 'validation' };
    await expect(bad('someday', {})).rejects.toMatchObject(invalid);
    for (const time of ['9:00', '24:30', '12:60', '', '-1:00', '25:00'])
      await expect(bad('monday', { end: time })).rejects.toMatchObject(invalid);
    await expect(bad('monday', { start: '24:00' })).rejects.toMatchObject(invalid);
    await expect(
      setWorkSchedule(scope, { login: alma.login, schedule: everyDay, timezone: 'Mars/Olympus' }),
    ).rejects.toMatchObject(invalid);
    await expect(setWorkSchedule(scope, { login: 'nobody@shop.test', schedule: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    const normal: AgentActor = { kind: 'agent', id: alma.login, permission: 'normal', groupIds: [0] };
    const asNormal = openOrganizationScope(test.context.services, normal, organization.id);
    await expect(setWorkSchedule(asNormal, { login: alma.login, schedule: null })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const other = await buildOrganization(test);
    await expect(setWorkSchedule(other.scope, { login: alma.login, schedule: null })).rejects.toMatchObject({
      code: 'not_found',
    });
    await setWorkSchedule(scope, { login: alma.login, schedule: null });
  });
});

describe('a trial', () => {
  it('ends with its day: agents read, and take no chats', async () => {
    await accept();
    const { trialEndsAt } = await test.context.database.kysely
      .selectFrom('organizations')
      .where('id', '=', organization.id)
      .select('trialEndsAt')
      .executeTakeFirstOrThrow();
    test.clock.advance(trialEndsAt!.getTime() - test.clock.now().getTime());
    await tick();
    expect(await statusOf()).toBe('not accepting chats');
    expect((await reasons()).at(-1)).toBe('license_ended');
    await expect(accept()).rejects.toMatchObject({ code: 'license_expired' });
    await expect(accept(alma, 'offline')).resolves.toBeUndefined();
  });
});
