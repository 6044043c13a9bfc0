import { beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { connectCustomer, disconnectCustomer } from '#server/domain/support/visits/presence.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { closeAbandonedChat, closeIdleChat, reassignIfUnanswered } from './inactive-chats.ts';

const MINUTE_MS = 60_000;

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  customer = await buildCustomer(organization);
});

const set = (settings: { idleCloseMinutes?: number; unassignMinutes?: number; abandonMinutes?: number }) =>
  test.context.database.kysely.updateTable('organizations').where('id', '=', organization.id).set(settings).execute();
const accept = (login: string) => setAgentStatus(organization.scope, { login, status: 'accepting chats' });
const chatOf = (id: string) =>
  organization.scope.from('chats').where('id', '=', id).select(['active', 'assigneeId']).executeTakeFirstOrThrow();

describe('inactivity conditions are checked again under the lock', () => {
  it('an idle chat stays open once closing is disabled', async () => {
    await accept(organization.owner.login);
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    test.clock.advance(20 * MINUTE_MS);
    await set({ idleCloseMinutes: 0 });
    await closeIdleChat(organization.scope, { chatId });
    expect(await chatOf(chatId)).toMatchObject({ active: true });
    await set({ idleCloseMinutes: 15 });
    await closeIdleChat(organization.scope, { chatId });
    expect(await chatOf(chatId)).toMatchObject({ active: false });
  });

  it('an unanswered chat stays with an agent who just got it, and always if reassigning is disabled', async () => {
    const [alma, bob] = [await buildAgent(organization), await buildAgent(organization)];
    await set({ unassignMinutes: 3 });
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'], continuous: true });
    test.clock.advance(5 * MINUTE_MS);
    await accept(alma.login);
    await accept(bob.login);
    await reassignIfUnanswered(organization.scope, { chatId });
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    test.clock.advance(3 * MINUTE_MS);
    await set({ unassignMinutes: 0 });
    await reassignIfUnanswered(organization.scope, { chatId });
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: alma.login });
    await set({ unassignMinutes: 3 });
    await reassignIfUnanswered(organization.scope, { chatId });
    expect(await chatOf(chatId)).toMatchObject({ assigneeId: bob.login });
  });
});

describe('an abandoned chat', () => {
  /** The customer was online and has been gone for this long. */
  const abandon = async (minutes: number, { continuous = false } = {}): Promise<string> => {
    await organization.scope.update('agents').set({ maxChatsCount: 0 }).execute();
    await accept(organization.owner.login);
    const visitor = customerScope(organization, customer);
    await connectCustomer(visitor, {});
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'], continuous });
    await disconnectCustomer(visitor, customer.id);
    test.clock.advance(minutes * MINUTE_MS);
    return chatId;
  };
  const isOpenAfterCheck = async (chatId: string, scope = organization.scope): Promise<boolean> => {
    await closeAbandonedChat(scope, { chatId });
    return (await chatOf(chatId)).active;
  };

  it('is closed according to the state inside the transaction', async () => {
    const chatId = await abandon(2);
    const outside = (): never => {
      throw new Error('read outside of the transaction');
    };
    expect(await isOpenAfterCheck(chatId, { ...organization.scope, from: outside })).toBe(false);
  });

  it('stays open before the time is up, when it is continuous, and when closing is disabled', async () => {
    const chatId = await abandon(1);
    expect(await isOpenAfterCheck(chatId)).toBe(true);
    test.clock.advance(MINUTE_MS);
    await set({ abandonMinutes: 0 });
    expect(await isOpenAfterCheck(chatId)).toBe(true);
    await set({ abandonMinutes: 2 });
    expect(await isOpenAfterCheck(chatId)).toBe(false);
    expect(await isOpenAfterCheck(await abandon(10, { continuous: true }))).toBe(true);
  });
});
