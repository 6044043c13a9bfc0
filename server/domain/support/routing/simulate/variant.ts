import type { WorkSchedule } from '#server/storage/tables/routing.ts';
import { readShifts, unite } from './availability.ts';
import type { LoadedAgent } from './load.ts';
import type { Interval, Model, SimulatedAgent, SimulatedChat } from './model.ts';

/** What is asked to be different. */
export interface Changes {
  /** Of everybody. */
  limit?: number | undefined;
  /** By login; stronger than that of everybody. */
  limits: Readonly<Record<string, number>>;
  added: { count: number; groupId?: number | undefined }[];
  /** By login; `*` is for those who are not named. */
  schedules: Readonly<Record<string, WorkSchedule>>;
  idle?: { minutesNow: number; minutes: number; silentMs: ReadonlyMap<string, number> } | undefined;
}

export const EVERYBODY = '*';

/** The logins of the agents that the changes add. */
export const namesOfAdded = ({ added }: Pick<Changes, 'added'>): string[] =>
  added.flatMap(({ count }) => Array.from({ length: count })).map((_, at) => `added-${at + 1}`);

const middle = (numbers: number[]): number => numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 1;

/** New people have the middle limit and are there whenever somebody is, unless limits or schedules say otherwise. */
const addAgents = (agents: LoadedAgent[], changes: Changes): LoadedAgent[] => {
  const people = agents.filter(({ kind }) => kind === 'person');
  const [limit, accepting] = [middle(people.map((one) => one.limit)), unite(people.flatMap((one) => one.accepting))];
  const everyGroup = [...new Set(people.flatMap(({ groupIds }) => groupIds))];
  const groups = changes.added.flatMap(({ count, groupId }) =>
    Array.from({ length: count }, () => (groupId === undefined ? everyGroup : [groupId])),
  );
  const added = namesOfAdded(changes).map(
    (id, at): LoadedAgent => ({
      id,
      kind: 'person',
      timezone: null,
      limit,
      groupIds: groups[at]!,
      accepting,
      goneAt: [],
    }),
  );
  return [...agents, ...added];
};

const changeAgent = (agent: LoadedAgent, changes: Changes, timezone: string, window: Interval): SimulatedAgent => {
  const limit = changes.limits[agent.id] ?? (agent.kind === 'person' ? changes.limit : undefined) ?? agent.limit;
  const forAll = agent.kind === 'person' ? changes.schedules[EVERYBODY] : undefined;
  const schedule = changes.schedules[agent.id] ?? forAll;
  if (!schedule) return { ...agent, limit };
  return { ...agent, limit, accepting: readShifts(schedule, agent.timezone ?? timezone, window), goneAt: [] };
};

/** A chat that was closed for its silence lasts as long as the new patience; any other loses silence beyond it. */
const changeSilence = (
  chat: SimulatedChat,
  { minutesNow, minutes, silentMs }: NonNullable<Changes['idle']>,
): SimulatedChat => {
  const silent = Math.min(silentMs.get(chat.id) ?? 0, chat.workMs);
  const [now, then] = [minutesNow * 60_000, minutes * 60_000];
  const changed = silent >= now ? then : Math.min(silent, then);
  return { ...chat, workMs: chat.workMs - silent + changed };
};

export const applyChanges = (model: Model & { agents: LoadedAgent[] }, changes: Changes, timezone: string): Model => ({
  ...model,
  agents: addAgents(model.agents, changes).map((agent) => changeAgent(agent, changes, timezone, model.window)),
  chats: changes.idle ? model.chats.map((chat) => changeSilence(chat, changes.idle!)) : model.chats,
});
