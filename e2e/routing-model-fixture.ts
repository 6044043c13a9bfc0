import { randomUUID } from 'node:crypto';
import { writeAgent } from '#server/domain/accounts/agents/create-agent.ts';
import { createOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import {
  type OrganizationScope,
  openOrganizationScope,
  openPlatformScope,
  type Services,
} from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { issueCookieToken } from '#server/domain/support/customers/tokens.ts';
import { createGroup } from '#server/domain/support/groups/create-group.ts';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

/** One of the two server processes; both serve every request. */
export interface Server {
  url: string;
}

export interface OpenSocket extends SocketClient {
  server: Server;
  away: boolean;
  /** The id of its database row. */
  connectionId: string;
}

/** The expected state of an agent, as far as it can be predicted. */
export interface ModelAgent {
  login: string;
  apiKey: string;
  sockets: OpenSocket[];
  /** Undefined if it cannot be predicted; then it is read after the step. */
  status: AgentStatus | undefined;
  /** When the last socket closed. The agent counts as disconnected from then on, until the next status change. */
  disconnectedAt?: number | undefined;
  /** Until when the connection rows of a killed process count as alive. */
  connectionsExpireAt?: number | undefined;
}

export interface ModelCustomer {
  id: string;
  token: string;
}

export interface ModelChat {
  id: string;
  customer: ModelCustomer;
  /** False once the chat was closed. */
  open: boolean;
}

export interface Shop {
  organizationId: string;
  /** For changes that no API offers. */
  scope: OrganizationScope;
  servers: Server[];
  agents: ModelAgent[];
  customers: ModelCustomer[];
  chats: ModelChat[];
}

const LIMITS = [1, 1, 2, 1, 1];
const CUSTOMERS = 10;
/** This many agents accept chats at the start. */
const INITIALLY_ACCEPTING = 2;
/** No agent signs in with a password in this test. */
const NO_PASSWORD = { passwordHash: null };

/**
 * Creates groups 1 to 3 in addition to 0, which contains all agents. Group 3 falls back to 1; in 2 a bot answers first. Chats are
 * reassigned after one minute without an answer and closed after four minutes without a message.
 */
export const createShop = async (services: Services, servers: Server[]): Promise<Shop> => {
  const system = { kind: 'system' } as const;
  const name = randomUUID().slice(0, 8);
  const { organization, owner } = await createOrganization(openPlatformScope(services, system), {
    name: 'Shop',
    owner: { login: `0-olga-${name}@shop.test`, name: 'Olga', password: 'a long password' },
  });
  const scope = openOrganizationScope(services, system, organization.id);
  for (const group of ['Sales', 'Support', 'Spare parts']) await createGroup(scope, { name: group });
  await scope.update('groups').where('id', '=', 3).set({ fallbackGroupId: 1 }).execute();
  await scope.update('groups').where('id', '=', 2).set({ botsFirst: true }).execute();
  await services.db
    .updateTable('organizations')
    .where('id', '=', organization.id)
    .set({ idleCloseMinutes: 4, unassignMinutes: 1 })
    .execute();
  const addAgent = (login: string, groupIds: number[], more: Partial<Parameters<typeof writeAgent>[1]> = {}) =>
    writeAgent(scope, { login, name: login, permission: 'normal', groupIds, ...NO_PASSWORD, ...more });
  const agents = [
    owner,
    await addAgent(`1-alma-${name}@shop.test`, [1]),
    await addAgent(`2-bert-${name}@shop.test`, [1, 2]),
    await addAgent(`3-carl-${name}@shop.test`, [2], { permission: 'administrator' }),
    await addAgent(`4-bot-${name}`, [2], { kind: 'bot' }),
  ];
  for (const [at, { login }] of agents.entries())
    await scope.update('agents').where('id', '=', login).set({ maxChatsCount: LIMITS[at]! }).execute();
  for (const { login } of agents.slice(0, INITIALLY_ACCEPTING))
    await setAgentStatus(scope, { login, status: 'accepting chats' });
  const customers: ModelCustomer[] = [];
  for (let at = 0; at < CUSTOMERS; at++) {
    const { customerId: id, token } = await issueCookieToken(scope, { clientId: 'model' });
    customers.push({ id, token });
  }
  return {
    ...{ organizationId: organization.id, scope, servers, customers, chats: [] },
    agents: agents.map((agent, at) => ({
      ...agent,
      sockets: [],
      status: at < INITIALLY_ACCEPTING ? 'accepting chats' : 'offline',
    })),
  };
};

// biome-ignore lint/suspicious/noExplicitAny: other tests check the contracts of responses; here they are read without types.
export type Answer = { status: number; body: any };

const post = async (url: string, token: string, body: object): Promise<Answer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

export const asCustomer = (
  { organizationId }: Shop,
  { url }: Server,
  { token }: ModelCustomer,
  name: string,
  body = {},
) => post(`${url}/v3.5/customer/action/${name}?organization_id=${organizationId}`, token, body);

export const asAgent = ({ url }: Server, { apiKey }: ModelAgent, name: string, body = {}, surface = 'agent') =>
  post(`${url}/v3.5/${surface}/action/${name}`, apiKey, body);

const connectionsOf = async ({ scope }: Shop, { login }: ModelAgent): Promise<string[]> =>
  (await scope.from('agentConnections').where('agentId', '=', login).select('id').execute()).map(({ id }) => id);

/** Logs in one socket of an agent at a time, so that the new connection row can be identified. */
export const logIn = async (
  shop: Shop,
  server: Server,
  agent: ModelAgent,
  more: { away: boolean; reconnect: boolean },
) => {
  const before = await connectionsOf(shop, agent);
  const client = await connectSocket(`${server.url}/v3.5/agent/rtm/ws`);
  const answer = await client.request('login', { token: `Bearer ${agent.apiKey}`, pushes: { '3.5': [] }, ...more });
  if (!answer.success) throw new Error(`login failed: ${JSON.stringify(answer.payload)}`);
  const connectionId = (await connectionsOf(shop, agent)).find((id) => !before.includes(id))!;
  agent.sockets.push({ ...client, server, away: more.away, connectionId });
};

/** Resolves when the server has removed the connection. */
export const waitForDisconnect = async (shop: Shop, agent: ModelAgent, { connectionId }: OpenSocket): Promise<void> => {
  while ((await connectionsOf(shop, agent)).includes(connectionId))
    await new Promise((resolve) => setImmediate(resolve));
};

/** Closes all sockets. */
export const closeShop = ({ agents }: Shop): void => {
  for (const { sockets } of agents) for (const { socket } of sockets) socket.terminate();
};
