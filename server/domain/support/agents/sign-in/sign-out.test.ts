import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { transferChat } from '#server/domain/support/routing/transfer-chat.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { connectAgent, disconnectAgent, extendConnections } from '../presence/connections.ts';
import { setAgentStatus } from '../presence/set-status.ts';
import { signOut, signOutRemotely } from './sign-out.ts';

const test = useTestApp();
let organization: TestOrganization;
let alma: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  alma = await buildAgent(organization);
});

const arrive = async (away = false): Promise<string> => {
  const connectionId = randomUUID();
  await connectAgent(agentScope(organization, alma), { connectionId, away, reconnect: false });
  return connectionId;
};

describe('an agent who is offline but has chats', () => {
  /** Takes over a chat without ever having accepted chats. */
  const takeChat = async (): Promise<() => Promise<string | null>> => {
    const { chatId } = await buildChat(organization, await buildCustomer(organization), { continuous: true });
    await transferChat(agentScope(organization, alma), { chatId, target: { type: 'agent', ids: [alma.login] } });
    const assignee = async () =>
      (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
        .assigneeId;
    expect(await assignee()).toBe(alma.login);
    return assignee;
  };

  it('loses them when signed out or set offline again', async () => {
    const signedOut = await takeChat();
    await signOutRemotely(organization.scope, { login: alma.login });
    expect(await signedOut()).toBeNull();
    const setOffline = await takeChat();
    await setAgentStatus(agentScope(organization, alma), { login: alma.login, status: 'offline' });
    expect(await setOffline()).toBeNull();
    const { length } = await organization.scope.from('agentStatusChanges').select('id').execute();
    expect(length).toBe(1);
  });

  it('loses them when signing out, but keeps them without ever having had a socket', async () => {
    const connectionId = await arrive(true);
    const assignee = await takeChat();
    await signOut(agentScope(organization, alma), { connectionId });
    expect(await assignee()).toBeNull();
    const kept = await takeChat();
    test.clock.advance(60_000);
    await test.context.background.scheduler.runFrequent();
    expect(await kept()).toBe(alma.login);
  });

  it('keeps them while accepting chats without a socket', async () => {
    const kept = await takeChat();
    await setAgentStatus(organization.scope, { login: alma.login, status: 'accepting chats' });
    test.clock.advance(60_000);
    await test.context.background.scheduler.runFrequent();
    expect(await kept()).toBe(alma.login);
  });
});

it('does not go offline once a socket is extended again', async () => {
  const [late, closed] = [await arrive(), await arrive()];
  test.clock.advance(31_000);
  await disconnectAgent(agentScope(organization, alma), { connectionId: closed });
  const open = [{ organizationId: organization.id, connectionId: late }];
  await extendConnections(test.context.database, open, test.clock.now());
  test.clock.advance(29_999);
  await extendConnections(test.context.database, open, test.clock.now());
  test.clock.advance(1);
  await test.context.background.scheduler.runFrequent();
  const agent = await organization.scope
    .from('agents')
    .where('id', '=', alma.login)
    .select(['status', 'disconnectedAt'])
    .executeTakeFirstOrThrow();
  expect(agent).toEqual({ status: 'accepting chats', disconnectedAt: null });
});
