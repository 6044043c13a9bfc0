import { readAvailability, type StatusChange } from './availability.ts';
import { loadThreads } from './load-threads.ts';
import type { Interval, SimulatedAgent, SimulatedGroup } from './model.ts';
import type { StoredThread } from './read-history.ts';
import type { Rows } from './rows.ts';

export interface LoadedAgent extends SimulatedAgent {
  /** Null: the time zone of the organization. */
  timezone: string | null;
}

export interface RoutingHistory {
  agents: LoadedAgent[];
  groups: SimulatedGroup[];
  threads: StoredThread[];
}

const loadGroups = async (rows: Rows): Promise<SimulatedGroup[]> => {
  const groups = await rows
    .from('groups')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .select(['id', 'name', 'fallbackGroupId', 'botsFirst'])
    .execute();
  return groups.map(({ fallbackGroupId, ...group }) => ({
    ...group,
    ...(fallbackGroupId === null ? {} : { fallback: fallbackGroupId }),
  }));
};

/** Includes the last change before the window, which determines the initial status. */
const loadStatusChanges = async (rows: Rows, window: Interval): Promise<StatusChange[]> => {
  const [from, to] = [new Date(window.from), new Date(window.to)];
  const before = await rows
    .from('agentStatusChanges')
    .where('changedAt', '<', from)
    .distinctOn('agentId')
    .orderBy('agentId')
    .orderBy('changedAt', 'desc')
    .orderBy('id', 'desc')
    .select(['agentId', 'status', 'reason', 'changedAt'])
    .execute();
  const during = await rows
    .from('agentStatusChanges')
    .where('changedAt', '>=', from)
    .where('changedAt', '<', to)
    .orderBy('changedAt')
    .orderBy('id')
    .select(['agentId', 'status', 'reason', 'changedAt'])
    .execute();
  return [...before, ...during];
};

const loadLastAssignments = (rows: Rows, window: Interval): Promise<{ agentId: string; lastAt: Date }[]> =>
  rows
    .from('assignments')
    .where('assignedAt', '<', new Date(window.from))
    .groupBy('agentId')
    .select('agentId')
    .select((eb) => eb.fn.max('assignedAt').as('lastAt'))
    .execute();

/** The history of limits and groups is not stored, so the current ones are used. */
const loadAgents = async (rows: Rows, window: Interval): Promise<LoadedAgent[]> => {
  const agents = await rows
    .from('agents')
    .orderBy('id')
    .select(['id', 'kind', 'status', 'timezone', 'maxChatsCount', 'createdAt', 'deletedAt'])
    .execute();
  const memberships = Map.groupBy(
    await rows.from('agentGroups').select(['agentId', 'groupId']).execute(),
    ({ agentId }) => agentId,
  );
  const changes = Map.groupBy(await loadStatusChanges(rows, window), ({ agentId }) => agentId);
  const lastAssigned = new Map(
    (await loadLastAssignments(rows, window)).map(({ agentId, lastAt }) => [agentId, lastAt]),
  );
  return agents
    .filter(({ deletedAt }) => deletedAt === null || deletedAt.getTime() > window.from)
    .map(({ id, kind, status, timezone, maxChatsCount, createdAt, deletedAt }) => {
      const membership = {
        from: Math.max(window.from, createdAt.getTime()),
        to: Math.min(window.to, deletedAt?.getTime() ?? window.to),
      };
      return {
        ...{ id, kind, timezone },
        limit: maxChatsCount,
        groupIds: (memberships.get(id) ?? []).map(({ groupId }) => groupId),
        ...readAvailability(changes.get(id) ?? [], status, membership),
        lastAssignedAt: lastAssigned.get(id)?.toISOString(),
      };
    });
};

/** Loads everything a replay needs. Threads that are still open are taken to end at `now`. */
export const loadHistory = async (rows: Rows, window: Interval, now: number): Promise<RoutingHistory> => {
  const agents = await loadAgents(rows, window);
  const bots = new Set(agents.filter(({ kind }) => kind === 'bot').map(({ id }) => id));
  return { agents, groups: await loadGroups(rows), threads: await loadThreads(rows, { window, now, bots }) };
};
