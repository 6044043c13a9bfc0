import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

const SALES = 7;
const SWEEPS_PER_MINUTE = 12;

const test = useTestApp();
let organization: TestOrganization;
let agent: TestAgent;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  organization = await buildOrganization(test);
  await buildGroup(organization, SALES);
});
beforeEach(async () => {
  agent = await buildAgent(organization);
});

const logIn = async ({ basic }: TestAgent): Promise<SocketClient> => {
  const client = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
  // Keeps the status, so that no push is sent.
  expect(await client.request('login', { token: basic, reconnect: true })).toMatchObject({ success: true });
  return client;
};
const changeAgent = (changes: { deletedAt?: Date; apiKeyHash?: Buffer }) =>
  organization.scope.update('agents').where('id', '=', agent.login).set(changes).execute();
const announceChange = ({ id, scope } = organization) =>
  scope.transaction(async (tx) => tx.emit({ type: 'credentials_changed', organizationId: id }));
const revoked = { action: 'agent_disconnected', payload: { reason: 'access_token_revoked' } };

describe('an agent’s socket', () => {
  it.each([
    ['is removed', { deletedAt: new Date() }],
    ['gets another key', { apiKeyHash: Buffer.from('another') }],
  ])('closes when the agent %s, and no other socket does', async (_, changes) => {
    const [client, staying] = [await logIn(agent), await logIn(organization.owner)];
    await changeAgent(changes);
    await announceChange();
    expect(await client.nextPush()).toMatchObject(revoked);
    expect(await client.closed).toBe(1008);
    expect(await staying.request('list_chats', {})).toMatchObject({ success: true });
    await staying.close();
  });

  it('closes within a minute if the change was not announced', async () => {
    const client = await logIn(agent);
    await changeAgent({ deletedAt: new Date() });
    for (let sweep = 0; sweep < SWEEPS_PER_MINUTE; sweep++) {
      await client.request('ping');
      test.app.sockets.sweep();
    }
    expect(await client.nextPush()).toMatchObject(revoked);
  });

  it('serves no requests one second after an unannounced change', async () => {
    const client = await logIn(agent);
    await changeAgent({ apiKeyHash: Buffer.from('yet another') });
    test.clock.advance(1_000);
    expect(await client.request('list_chats', {})).toMatchObject({ payload: { error: { type: 'authentication' } } });
    await client.close();
  });

  it('receives the chats of the agent’s current groups', async () => {
    const client = await logIn(agent);
    await organization.scope.insert('agentGroups', { agentId: agent.login, groupId: SALES }).execute();
    await announceChange();
    const heard = client.nextPush();
    let isMonitored = false;
    void heard.then(() => {
      isMonitored = true;
    });
    // There is no event for the moment when the change takes effect.
    while (!isMonitored)
      await buildChat(organization, await buildCustomer(organization), { groupIds: [SALES], continuous: true });
    expect(await heard).toMatchObject({ action: 'incoming_chat' });
    await client.close();
  });

  it('stays open when the license expires, because reading is still allowed', async () => {
    const ending = await buildOrganization(test);
    const client = await logIn(ending.owner);
    const { db } = test.context.services;
    await db.updateTable('organizations').where('id', '=', ending.id).set({ status: 'expired' }).execute();
    await announceChange(ending);
    expect(await client.request('list_chats', {})).toMatchObject({ success: true });
    await client.close();
  });
});
