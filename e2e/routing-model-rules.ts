import type { AgentState, ChatState, QueueEntry, Snapshot } from './routing-model-snapshot.ts';

/**
 * The rules of docs/behavior/routing.md, implemented independently of the server: a test that called the server's own functions
 * would prove nothing.
 */
export const openChatsOf = ({ chats }: Snapshot, agentId: string): number =>
  chats.filter(({ active, assignee }) => active && assignee === agentId).length;

const takesChats = ({ status, away }: AgentState): boolean => status === 'accepting chats' && !away;

const hasRoom = (all: Snapshot, agent: AgentState): boolean => openChatsOf(all, agent.id) < agent.limit;

const botsFor = ({ agents, groups }: Snapshot, groupIds: number[]): AgentState[] =>
  agents.filter(
    (agent) =>
      agent.kind === 'bot' &&
      takesChats(agent) &&
      groups.some(({ id, botsFirst }) => botsFirst && groupIds.includes(id) && agent.groups.includes(id)),
  );

const peopleFor = ({ agents, groups }: Snapshot, groupIds: number[], before: number[] = []): AgentState[] => {
  const here = agents.filter(
    (agent) => agent.kind === 'person' && takesChats(agent) && agent.groups.some((id) => groupIds.includes(id)),
  );
  if (here.length > 0) return here;
  const seen = [...before, ...groupIds];
  const next = groups
    .filter(({ id, fallback }) => groupIds.includes(id) && fallback !== null && !seen.includes(fallback))
    .map(({ fallback }) => fallback!);
  return next.length === 0 ? [] : peopleFor({ agents, groups } as Snapshot, next, seen);
};

/** The agents who could take a waiting chat now. */
export const availableAgents = (
  all: Snapshot,
  { groups, botAnswered }: Pick<ChatState, 'groups' | 'botAnswered'>,
): AgentState[] =>
  [...(botAnswered ? [] : botsFor(all, groups)), ...peopleFor(all, groups)].filter((agent) => hasRoom(all, agent));

export const groupStatusesOf = (all: Snapshot): Record<string, string> =>
  Object.fromEntries(
    all.groups.map(({ id }) => {
      const accepting = [...botsFor(all, [id]), ...peopleFor(all, [id])];
      if (accepting.length === 0) return [id, 'offline'];
      return [id, accepting.some((agent) => hasRoom(all, agent)) ? 'online' : 'online_for_queue'];
    }),
  );

export const waitingIn = ({ queueEntries }: Snapshot): QueueEntry[] =>
  queueEntries.filter(({ leftAt }) => leftAt === null);

/** Queue position by chat: one more than the number of earlier chats that wait for one of the same groups. */
export const positionsOf = (all: Snapshot): Map<string, number> => {
  const waiting = waitingIn(all);
  return new Map(
    waiting.map(({ chatId, groups }, at) => {
      const ahead = waiting.slice(0, at).filter((other) => other.groups.some((id) => groups.includes(id)));
      return [chatId, ahead.length + 1];
    }),
  );
};
