import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { getAgent } from '#server/domain/support/agents/profile/list-agents.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import type { TestAgent, TestOrganization } from '#server/testing/builders/factories.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

/** Calls operations of the agent API as the given agent. */
export const callAgent =
  ({ app }: TestApp, agent: TestAgent) =>
  async (operation: string, body: object = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: `/v3.5/agent/action/${operation}`,
      headers: { authorization: agent.basic },
      payload: body,
    });
    return { status: response.statusCode, body: response.json() };
  };

export const listen = async (test: TestApp): Promise<TestApp> => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  return test;
};

export const openSocket = ({ app }: TestApp): Promise<SocketClient> =>
  connectSocket(`${app.listeningOrigin}/v3.5/agent/rtm/ws`);

/** Opens a socket and logs in. */
export const logIn = async (test: TestApp, agent: TestAgent, more: object = {}) => {
  const client = await openSocket(test);
  const answer = await client.request('login', { token: `Bearer ${agent.apiKey}`, ...more });
  if (!answer.success) throw new Error(`Login failed: ${JSON.stringify(answer.payload)}`);
  return { ...client, answer, profile: answer.payload.my_profile };
};

export const statusOf = async ({ id, scope, owner }: TestOrganization, { login }: TestAgent): Promise<string> => {
  const asOwner: AgentActor = { kind: 'agent', id: owner.login, permission: 'owner', groupIds: [] };
  return (await getAgent(openOrganizationScope(scope.services, asOwner, id), { login })).status;
};

/** The status history of an agent, oldest first. */
export const changesOf = ({ scope }: TestOrganization, { login }: TestAgent) =>
  scope.from('agentStatusChanges').where('agentId', '=', login).orderBy('id').select(['status', 'reason']).execute();

export const countConnections = async ({ scope }: TestOrganization, { login }: TestAgent): Promise<number> =>
  (await scope.from('agentConnections').where('agentId', '=', login).select('id').execute()).length;

/** Skips pushes until one with the given action. */
export const nextPush = async ({ nextPush: next }: SocketClient, action: string) => {
  for (;;) {
    const push = await next();
    if (push.action === action) return push;
  }
};
