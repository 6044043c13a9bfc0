import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { mergeIntervals, readShifts } from './availability.ts';
import type { LoadedAgent } from './load-history.ts';
import type { Interval, Model, SimulatedAgent, SimulatedChat } from './model.ts';

/** The changes that the simulated variant makes. */
export interface Changes {
  /** Limit of all people. */
  limit?: number | undefined;
  /** By login; takes precedence over `limit`. */
  limits: Readonly<Record<string, number>>;
  added: { count: number; groupId?: number | undefined }[];
  /** By login; `*` applies to people who are not listed. */
  schedules: Readonly<Record<string, WorkSchedule>>;
  idle?: { minutesNow: number; minutes: number; idleMs: ReadonlyMap<string, number> } | undefined;
}

export const ALL_AGENTS_KEY = '*';

/** Logins of the agents that the changes add. */
export const addedAgentLogins = ({ added }: Pick<Changes, 'added'>): string[] =>
  added.flatMap(({ count }) => Array.from({ length: count })).map((_, at) => `added-${at + 1}`);

const median = (numbers: number[]): number => numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 1;

/** Added agents have the median limit and work whenever any person works, unless limits or schedules say otherwise. */
const addAgents = (agents: LoadedAgent[], changes: Changes): LoadedAgent[] => {
  const people = agents.filter(({ kind }) => kind === 'person');
  const [limit, accepting] = [
    median(people.map((one) => one.limit)),
    mergeIntervals(people.flatMap((one) => one.accepting)),
  ];
  const everyGroup = [...new Set(people.flatMap(({ groupIds }) => groupIds))];
  const groups = changes.added.flatMap(({ count, groupId }) =>
    Array.from({ length: count }, () => (groupId === undefined ? everyGroup : [groupId])),
  );
  const added = addedAgentLogins(changes).map(
    (id, at): LoadedAgent => ({
      id,
      kind: 'person',
      timezone: null,
      limit,
      groupIds: groups[at]!,
      accepting,
      offlineAt: [],
    }),
  );
  return [...agents, ...added];
};

const changeAgent = (agent: LoadedAgent, changes: Changes, timezone: string, window: Interval): SimulatedAgent => {
  const limit = changes.limits[agent.id] ?? (agent.kind === 'person' ? changes.limit : undefined) ?? agent.limit;
  const forAll = agent.kind === 'person' ? changes.schedules[ALL_AGENTS_KEY] : undefined;
  const schedule = changes.schedules[agent.id] ?? forAll;
  if (!schedule) return { ...agent, limit };
  return { ...agent, limit, accepting: readShifts(schedule, agent.timezone ?? timezone, window), offlineAt: [] };
};

/**
 * A chat that was closed for inactivity stays open for the new idle time; any other chat loses idle time that exceeds
 * it.
 */
const changeIdleTime = (
  chat: SimulatedChat,
  { minutesNow, minutes, idleMs }: NonNullable<Changes['idle']>,
): SimulatedChat => {
  const idle = Math.min(idleMs.get(chat.id) ?? 0, chat.workMs);
  const [oldLimit, newLimit] = [minutesNow * 60_000, minutes * 60_000];
  const changed = idle >= oldLimit ? newLimit : Math.min(idle, newLimit);
  return { ...chat, workMs: chat.workMs - idle + changed };
};

export const applyChanges = (model: Model & { agents: LoadedAgent[] }, changes: Changes, timezone: string): Model => ({
  ...model,
  agents: addAgents(model.agents, changes).map((agent) => changeAgent(agent, changes, timezone, model.window)),
  chats: changes.idle ? model.chats.map((chat) => changeIdleTime(chat, changes.idle!)) : model.chats,
});
