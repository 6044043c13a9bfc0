import type { Context } from '#server/context.ts';
import { type ChatHappening, isChatHappening, presentPush } from '#server/dialects/chat-pushes.ts';
import { type AgentActor, visibleGroups } from '#server/domain/access.ts';
import type { IdentifiedAgent } from '#server/domain/agents/identify.ts';
import { writePush } from '#server/sockets/frames.ts';
import { pushFrame, type Session } from '#server/sockets/session.ts';
import { present } from './present.ts';

export type AgentSession = Session<AgentIdentity>;

export interface AgentIdentity extends IdentifiedAgent {
  authorization: string;
}

interface Room {
  members: Set<AgentSession>;
  leave(): void;
}

const maySee = (actor: AgentActor, { groupIds }: ChatHappening): boolean => {
  const groups = visibleGroups(actor);
  return groups === undefined || groupIds.some((id) => groups.includes(id));
};

/** The agents' sockets of this process by organization, each told what its agent may see. */
export const openRooms = ({ feeds, metrics }: Pick<Context, 'feeds' | 'metrics'>) => {
  const rooms = new Map<string, Room>();

  /** All agents see the same, so the frame is written once, and only when somebody gets it. */
  const tell = (members: Set<AgentSession>, event: ChatHappening): void => {
    let frame: Buffer | undefined;
    let told = 0;
    for (const session of members) {
      if (!maySee(session.identity!.actor, event)) continue;
      frame ??= writePush(presentPush(present, event));
      if (pushFrame(session, frame)) told++;
    }
    if (told > 0) metrics.pushes.inc({ surface: 'agent' }, told);
  };

  const open = (organizationId: string): Room => {
    const members = new Set<AgentSession>();
    const leave = feeds.follow(organizationId, (event) => {
      if (isChatHappening(event)) tell(members, event);
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
