import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { CREDENTIALS_TOPIC, type DomainEvent, readEvent } from '#server/domain/events.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import type { IdentifiedAgent } from '#server/domain/support/agents/sign-in/identify.ts';
import { listOwnChatIds } from '#server/domain/support/chats/read/list-own-chat-ids.ts';
import type { MonitoringLevel } from '#server/domain/support/customers/monitoring.ts';
import { createLimiter } from '#server/realtime/create-limiter.ts';
import { pushToAll } from '#server/realtime/push.ts';
import { disconnect, disconnectAfterAnswer, type Session } from '#server/realtime/session.ts';
import type { AgentGate, Credential } from '#server/surfaces/chat-v3/agent-gate.ts';
import { audiencesOf, isRecipient, presentPush } from '#server/surfaces/chat-v3/chat-pushes.ts';
import { present } from './present.ts';

export type AgentSession = Session<AgentIdentity>;

export interface AgentIdentity extends IdentifiedAgent {
  /** The credential used to log in. */
  credential: Credential;
  /** When the credential was last checked in the database. */
  authenticatedAt: Date;
  /** Chats the agent takes part in although they belong to other groups. */
  chatIds: Set<string>;
  /** Which customers on the site the agent receives events about. */
  level: MonitoringLevel;
}

interface Room {
  members: Set<AgentSession>;
  leave(): void;
}

const MAX_CONCURRENT_CHECKS = 4;
const SWEEPS_PER_MINUTE = 12;

const maySee = ({ actor, chatIds, level }: AgentIdentity, event: DomainEvent): boolean =>
  isRecipient(event, actor, { isInChat: (chatId) => chatIds.has(chatId), level });

/** The agents who join a chat with this event. */
const enteringBy = (event: DomainEvent): string[] => {
  if (event.type === 'user_added') return [event.user.id];
  if (event.type !== 'chat_started') return [];
  return event.chat.users.filter(({ present }) => present).map(({ id }) => id);
};

const isLeaving = (event: DomainEvent, agentId: string): boolean =>
  event.type === 'chat_deactivated' || (event.type === 'user_removed' && event.user.id === agentId);

/** An agent who joins a chat receives that event already, and one who leaves still receives that event. */
const followUsers = (members: Set<AgentSession>, event: DomainEvent, push: () => void): void => {
  const entering = enteringBy(event);
  if (entering.length > 0 && 'chatId' in event) {
    for (const { identity } of members) if (entering.includes(identity!.actor.id)) identity!.chatIds.add(event.chatId);
  }
  push();
  if (event.type !== 'chat_deactivated' && event.type !== 'user_removed') return;
  for (const { identity } of members) if (isLeaving(event, identity!.actor.id)) identity!.chatIds.delete(event.chatId);
};

/** The agents' sockets of this process by organization. Each receives what its agent can access. */
export const openSocketRegistry = (
  { ports: { bus }, clock, realtime: { feeds }, log, metrics, services }: Context,
  gate: AgentGate,
) => {
  const rooms = new Map<string, Room>();
  const limit = createLimiter(MAX_CONCURRENT_CHECKS);
  let sweeps = 0;

  /** All agents receive the same frame. */
  const push = (members: Set<AgentSession>, event: DomainEvent): void => {
    const count = pushToAll(
      members,
      event,
      () => presentPush(present, event),
      ({ identity }) => maySee(identity!, event),
    );
    if (count > 0) metrics.pushes.inc({ surface: 'agent' }, count);
  };

  const dismissAgent = (members: Set<AgentSession>, agentId: string, cause: DomainEvent['cause']): void => {
    for (const session of members) {
      if (session.identity!.actor.id !== agentId) continue;
      const requestId = cause?.connectionId === session.id ? cause.requestId : undefined;
      disconnectAfterAnswer(session, 'logged_out_remotely', requestId);
    }
  };

  const open = (organizationId: string): Room => {
    const members = new Set<AgentSession>();
    const leave = feeds.follow(organizationId, (event) => {
      if (audiencesOf(event).includes('agents')) followUsers(members, event, () => push(members, event));
      if (event.type === 'agent_signed_out') dismissAgent(members, event.agentId, event.cause);
    });
    const room = { members, leave };
    rooms.set(organizationId, room);
    return room;
  };

  const ownChatIds = ({ actor, organizationId }: IdentifiedAgent): Promise<Set<string>> =>
    listOwnChatIds(openOrganizationScope(services, actor, organizationId));

  /**
   * Closes the socket of an agent who was removed or whose key changed, and applies changed groups and roles to further
   * pushes.
   */
  const check = async (session: AgentSession): Promise<void> => {
    if (!session.identity) return;
    try {
      const agent = await gate.verifyCredential(session.identity.credential);
      const chatIds = await ownChatIds(agent);
      session.identity &&= { ...session.identity, ...agent, authenticatedAt: clock.now(), chatIds };
    } catch (error) {
      if (error instanceof DomainError) disconnect(session, 'access_token_revoked');
      else log.warn({ err: error }, 'agent credential could not be checked');
    }
  };

  const checkAll = ({ members }: Room): void => {
    for (const session of members) void limit(() => check(session));
  };

  bus.subscribe(CREDENTIALS_TOPIC, (text) => {
    const event = readEvent(text as string);
    const room = 'organizationId' in event ? rooms.get(event.organizationId) : undefined;
    if (room) checkAll(room);
  });
  bus.onGap(() => rooms.forEach(checkAll));

  return {
    ownChatIds,
    /** Once a minute, because not every change is announced. */
    sweep: (): void => {
      if (++sweeps % SWEEPS_PER_MINUTE === 0) rooms.forEach(checkAll);
    },
    join: (session: AgentSession): void => {
      const { organizationId } = session.identity!;
      (rooms.get(organizationId) ?? open(organizationId)).members.add(session);
    },
    leave: (session: AgentSession): void => {
      const organizationId = session.identity?.organizationId;
      const room = organizationId === undefined ? undefined : rooms.get(organizationId);
      if (!room?.members.delete(session) || room.members.size > 0) return;
      room.leave();
      rooms.delete(organizationId!);
    },
  };
};
