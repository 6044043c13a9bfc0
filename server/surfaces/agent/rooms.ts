import type { Context } from '#server/context.ts';
import { audiencesOf, presentPush } from '#server/dialects/chat-pushes.ts';
import { type AgentActor, visibleGroups } from '#server/domain/access.ts';
import type { IdentifiedAgent } from '#server/domain/agents/identify.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import { pushToAll } from '#server/sockets/push.ts';
import type { Session } from '#server/sockets/session.ts';
import { present } from './present.ts';

export type AgentSession = Session<AgentIdentity>;

export interface AgentIdentity extends IdentifiedAgent {
  authorization: string;
}

interface Room {
  members: Set<AgentSession>;
  leave(): void;
}

const maySee = (actor: AgentActor, event: DomainEvent): boolean => {
  const groups = visibleGroups(actor);
  return groups === undefined || !('groupIds' in event) || event.groupIds.some((id) => groups.includes(id));
};

/** The agents' sockets of this process by organization, each told what its agent may see. */
export const openRooms = ({ feeds, metrics }: Pick<Context, 'feeds' | 'metrics'>) => {
  const rooms = new Map<string, Room>();

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

  return {
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
