import {
  changePushNotifications,
  LoginPayload,
  type LoginResponse,
  loginScopes,
  logout,
  setAwayStatus,
} from '#contracts/agent/login.ts';
import type { Context } from '#server/context.ts';
import { getOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import { assertScope, hasScope } from '#server/domain/accounts/oauth/scopes.ts';
import { invalid } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope, openPlatformScope } from '#server/domain/scope.ts';
import { getAgent } from '#server/domain/support/agents/profile/list-agents.ts';
import { listChats } from '#server/domain/support/chats/read/list-chats.ts';
import { readLevel } from '#server/domain/support/customers/monitoring.ts';
import { compileBody } from '#server/http/validation.ts';
import { type SocketAction, socketAction } from '#server/realtime/actions.ts';
import type { Endpoint } from '#server/realtime/endpoint.ts';
import { readSubscription } from '#server/realtime/session.ts';
import type { AgentGate } from '#server/surfaces/chat-v3/agent-gate.ts';
import { type Connections, openConnections } from './connections.ts';
import { present, presentLicense, presentProfile } from './present.ts';
import { type AgentIdentity, openSocketRegistry } from './socket-registry.ts';

const CHATS_AT_LOGIN = 25;
/**
 * Without this, every message of an agent would check the credential. Changes are announced on the bus; this limits the
 * delay if an announcement is lost.
 */
const IDENTITY_CACHE_MS = 1_000;

const checkLogin = compileBody(LoginPayload);

const welcome = async (ctx: Context, { actor, organizationId }: AgentIdentity): Promise<LoginResponse> => {
  const scope = openOrganizationScope(ctx.services, actor, organizationId);
  const [organization, agent, chats] = await Promise.all([
    getOrganization(openPlatformScope(ctx.services, actor), organizationId),
    getAgent(scope, { login: actor.id }),
    listChats(scope, { limit: CHATS_AT_LOGIN, filters: {} }),
  ]);
  return {
    license: presentLicense(organization),
    my_profile: presentProfile(agent),
    chats_summary: chats.items.map(present.summary),
  };
};

const NORMAL_CLOSURE = 1000;

const onSocket = socketAction<AgentIdentity, OrganizationScope>();

/** Actions that exist only on sockets. */
const socketActions = (connections: Connections) => [
  onSocket(
    logout,
    async ({ session, scope }) => {
      await connections.signOut(session, scope);
      return {};
    },
    ({ socket }) => socket.close(NORMAL_CLOSURE),
  ),
  onSocket(setAwayStatus, async ({ session, scope, body }) => {
    await connections.setAway(session, scope, body.away);
    return {};
  }),
  onSocket(changePushNotifications, () => ({})),
];

/** The agents' socket: `/v3.5/agent/rtm/ws`. */
export const agentEndpoint = (
  ctx: Context,
  gate: AgentGate,
  actions: SocketAction<AgentIdentity, OrganizationScope>[],
): Endpoint<AgentIdentity, OrganizationScope> => {
  const rooms = openSocketRegistry(ctx, gate);
  const connections = openConnections(ctx);
  return {
    name: 'agent',
    path: '/v3.5/agent/rtm/ws',
    disconnectPush: 'agent_disconnected',
    actions: [...actions, ...socketActions(connections)],
    join: rooms.join,
    leave: (session) => {
      rooms.leave(session);
      connections.leave(session);
    },
    sweep: () => {
      rooms.sweep();
      connections.sweep();
    },
    stop: connections.stop,
    identify: async (session, payload) => {
      checkLogin(payload);
      const { token, pushes, customer_monitoring_level: level } = payload as LoginPayload;
      const { organizationId, cookie } = session;
      if (token == null && cookie === undefined) throw invalid('token', 'is required');
      session.subscription = readSubscription(pushes);
      const credential = { authorization: token ?? undefined, organizationId, session: cookie };
      const agent = await gate.identify(credential);
      assertScope(agent.actor, ...loginScopes);
      const chatIds = await rooms.ownChatIds(agent);
      return { ...agent, credential, authenticatedAt: ctx.clock.now(), chatIds, level: readLevel(level) };
    },
    completeLogin: async (session, payload) => {
      const { timezone, reconnect, away } = payload as LoginPayload;
      // A token that may only read does not set its agent online.
      if (hasScope(session.identity!.actor, 'agents_write'))
        await connections.arrive(session, {
          away: away ?? false,
          reconnect: reconnect ?? false,
          timezone: timezone ?? undefined,
        });
      return welcome(ctx, session.identity!);
    },
    enter: async (session, operation, cause) => {
      const { credential, authenticatedAt } = session.identity!;
      const now = ctx.clock.now();
      const recent = now.getTime() - authenticatedAt.getTime() < IDENTITY_CACHE_MS ? session.identity : undefined;
      const agent = await gate.identify(credential, recent);
      // Groups and role may have changed, which also affects pushes.
      if (!recent) session.identity = { ...session.identity!, ...agent, authenticatedAt: now };
      return gate.enter(agent, operation, cause);
    },
  };
};
