import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { setWorkSchedule } from '#server/domain/support/agents/presence/work-schedule.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { connectCustomer, disconnectCustomer } from '#server/domain/support/visits/presence.ts';
import type { ShiftDay } from '#server/storage/tables/routing.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
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

const test = useTestApp();
let organization: TestOrganization;
let alma: TestAgent;
let customer: TestCustomer;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  alma = await buildAgent(organization);
  customer = await buildCustomer(organization);
});

const runTasks = () => test.context.background.scheduler.runFrequent();
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
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ active: true });
    test.clock.advance(1);
    await runTasks();
    expect(await chatOf(chatId)).toEqual({ active: false, assigneeId: null });
    expect(await lastWords(threadId)).toBe('routing.archived_inactive');
  });

  it('without messages is idle since its start; queued chats and accounts without idle close are left alone', async () => {
    const waiting = await buildChat(organization, customer, { continuous: true });
    await accept();
    const silent = await buildChat(organization, customer);
    test.clock.advance(15 * MINUTE_MS);
    await set({ idleCloseMinutes: 0 });
    await runTasks();
    expect(await chatOf(silent.chatId)).toMatchObject({ active: true });
    await set({ idleCloseMinutes: 15 });
    await accept(alma, 'offline');
    await runTasks();
    expect(await chatOf(waiting.chatId)).toMatchObject({ active: true });
    expect(await chatOf(silent.chatId)).toMatchObject({ active: true });
  });

  it('is closed once when several processes check at the same time', async () => {
    const other = await startTestApp({ beside: test });
    await accept();
    const { chatId, threadId } = await buildChat(organization, customer, { texts: ['Hello'] });
    test.clock.advance(16 * MINUTE_MS);
    await Promise.all([runTasks(), other.context.background.scheduler.runFrequent(), runTasks()]);
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ active: false });
    const events = await organization.scope.from('events').where('threadId', '=', threadId).select('type').execute();
    expect(events).toHaveLength(2);
    await other[Symbol.asyncDispose]();
  });
});

describe('an unanswered chat', () => {
  it('goes to another agent when its agent leaves the customer waiting', async () => {
    const bob = await buildAgent(organization);
    await set({ unassignMinutes: 3, idleCloseMinutes: 60 });
    await accept();
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    await write(chatId, asAgent(alma));
    await accept(bob);
    test.clock.advance(3 * MINUTE_MS);
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    await write(chatId);
    test.clock.advance(3 * MINUTE_MS - 1);
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    test.clock.advance(1);
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ active: true, assigneeId: bob.login });
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: bob.login });
  });

  it('stays with its agent when the account has no reassignment time', async () => {
    const bob = await buildAgent(organization);
    await accept();
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    await accept(bob);
    test.clock.advance(14 * MINUTE_MS);
    await runTasks();
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
    organization.scope.from('queueEntries').where('chatId', '=', chatId).select(['outcome']).executeTakeFirst();

  it('is closed as left two minutes after its customer disconnected', async () => {
    const visitor = customerScope(organization, customer);
    await connectCustomer(visitor, {});
    const { chatId, threadId } = await queued();
    test.clock.advance(MINUTE_MS);
    await disconnectCustomer(visitor, customer.id);
    test.clock.advance(2 * MINUTE_MS - 1);
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ active: true });
    test.clock.advance(1);
    await runTasks();
    expect(await chatOf(chatId)).toMatchObject({ active: false });
    expect(await stayOf(chatId)).toEqual({ outcome: 'left' });
    expect(await lastWords(threadId)).toBe('archived_customer_disconnected');
  });

  it('stays while its customer is connected, came back, has a continuous chat, or never had a socket', async () => {
    const visitor = customerScope(organization, customer);
    const unseen = await queued();
    test.clock.advance(10 * MINUTE_MS);
    await runTasks();
    expect(await chatOf(unseen.chatId)).toMatchObject({ active: true });
    await connectCustomer(visitor, {});
    const continuous = await queued(true);
    const other = await queued();
    test.clock.advance(2 * MINUTE_MS);
    await runTasks();
    expect(await chatOf(other.chatId)).toMatchObject({ active: true });
    await disconnectCustomer(visitor, customer.id);
    test.clock.advance(3 * MINUTE_MS);
    await runTasks();
    expect(await chatOf(continuous.chatId)).toMatchObject({ active: true });
    expect(await chatOf(other.chatId)).toMatchObject({ active: false });
  });

  it('is assigned by the periodic task when the notification of free capacity was lost', async () => {
    const { chatId } = await queued();
    await organization.scope.update('agents').where('id', '=', alma.login).set({ maxChatsCount: 3 }).execute();
    await runTasks();
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

  it('changes the status of agents who are signed in; a status set by hand stays until the next shift change', async () => {
    advanceTo('08:59');
    await accept(alma, 'not accepting chats');
    await schedule();
    await runTasks();
    expect(await statusOf()).toBe('not accepting chats');
    test.clock.advance(MINUTE_MS);
    await runTasks();
    expect(await statusOf()).toBe('accepting chats');
    await accept(alma, 'not accepting chats');
    test.clock.advance(60 * MINUTE_MS);
    await runTasks();
    expect(await statusOf()).toBe('not accepting chats');
    await accept();
    test.clock.advance(7 * 60 * MINUTE_MS);
    await runTasks();
    expect(await statusOf()).toBe('not accepting chats');
    expect(await reasons()).toEqual(['manual', 'schedule', 'manual', 'manual', 'schedule']);
    await accept();
    await runTasks();
    expect(await statusOf()).toBe('accepting chats');
  });

  it('does not change the status of an offline agent', async () => {
    advanceTo('08:00');
    await schedule();
    advanceTo('09:30');
    await runTasks();
    expect(await statusOf()).toBe('offline');
    expect(await reasons()).toEqual([]);
  });

  it('ends late when the server was down at its end', async () => {
    advanceTo('10:00');
    await accept();
    await schedule();
    advanceTo('20:00');
    const started = await startTestApp({ beside: test });
    await started.context.background.scheduler.runFrequent();
    expect(await statusOf()).toBe('not accepting chats');
    await started[Symbol.asyncDispose]();
  });

  it('can be set by administrators only, and is validated', async () => {
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
  it('ends on its last day: agents can read but not take chats', async () => {
    await accept();
    const { trialEndsAt } = await test.context.database.kysely
      .selectFrom('organizations')
      .where('id', '=', organization.id)
      .select('trialEndsAt')
      .executeTakeFirstOrThrow();
    test.clock.advance(trialEndsAt!.getTime() - test.clock.now().getTime());
    await test.context.background.scheduler.run('end-licenses');
    expect(await statusOf()).toBe('not accepting chats');
    expect((await reasons()).at(-1)).toBe('license_ended');
    await expect(accept()).rejects.toMatchObject({ code: 'license_expired' });
    await expect(accept(alma, 'offline')).resolves.toBeUndefined();
  });
});
