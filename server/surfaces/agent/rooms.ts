import type { Context } from '#server/context.ts';
import type { AgentGate } from '#server/dialects/agent-gate.ts';
import { audiencesOf, presentPush } from '#server/dialects/chat-pushes.ts';
import { type AgentActor, visibleGroups } from '#server/domain/access.ts';
import type { IdentifiedAgent } from '#server/domain/agents/identify.ts';
import { DomainError } from '#server/domain/errors.ts';
import { CREDENTIALS_TOPIC, type DomainEvent, readEvent } from '#server/domain/events.ts';
import { pushToAll } from '#server/sockets/push.ts';
import { dismiss, type Session } from '#server/sockets/session.ts';
import { createTurns } from '#server/sockets/turns.ts';
import { present } from './present.ts';

export type AgentSession = Session<AgentIdentity>;

export interface AgentIdentity extends IdentifiedAgent {
  authorization: string;
  /** When the database last said so. */
  recognisedAt: Date;
}

interface Room {
  members: Set<AgentSession>;
  leave(): void;
}

const CHECKS_AT_ONCE = 4;
const SWEEPS_PER_MINUTE = 12;

const maySee = (actor: AgentActor, event: DomainEvent): boolean => {
  const groups = visibleGroups(actor);
  return groups === undefined || !('groupIds' in event) || event.groupIds.some((id) => groups.includes(id));
};

/** The agents' sockets of this process by organization, each told what its agent may see. */
export const openRooms = ({ bus, clock, feeds, log, metrics }: Context, gate: AgentGate) => {
  const rooms = new Map<string, Room>();
  const inTurn = createTurns(CHECKS_AT_ONCE);
  let sweeps = 0;

  /** All agents see the same. */
  const tell = (members: Set<AgentSession>, event: DomainEvent): void => {
    const told = pushToAll(
      members,
      event,
      () => presentPush(present, event),
      ({ identity }) => maySee(identity!.actor, event),
    );
    if (told > 0) metrics.pushes.inc({ surface: 'agent' }, told);
  };

  const open = (organizationId: string): Room => {
    const members = new Set<AgentSession>();
    const leave = feeds.follow(organizationId, (event) => {
      if (audiencesOf(event).includes('agents')) tell(members, event);
    });
    const room = { members, leave };
    rooms.set(organizationId, room);
    return room;
  };

  /** Whoever was removed or got another key must go; other groups or another role change what is pushed. */
  const check = async (session: AgentSession): Promise<void> => {
    if (!session.identity) return;
    const { authorization, organizationId } = session.identity;
    try {
      const agent = await gate.recognise({ authorization, organizationId });
      session.identity &&= { ...agent, authorization, recognisedAt: clock.now() };
    } catch (error) {
      if (error instanceof DomainError) dismiss(session, 'access_token_revoked');
      else log.warn({ err: error }, 'whether an agent may stay could not be read');
    }
  };

  const checkAll = ({ members }: Room): void => {
    for (const session of members) void inTurn(() => check(session));
  };

  bus.subscribe(CREDENTIALS_TOPIC, (text) => {
    const event = readEvent(text as string);
    const room = 'organizationId' in event ? rooms.get(event.organizationId) : undefined;
    if (room) checkAll(room);
  });
  bus.onGap(() => rooms.forEach(checkAll));

  return {
    /** Every minute, because not every change is announced. */
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
