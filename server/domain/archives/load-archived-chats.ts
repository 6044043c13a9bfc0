import { toEvent } from '../chats/read-rows.ts';
import type { EventRecord } from '../chats/records.ts';
import type { OrganizationScope } from '../scope.ts';
import type { ArchivedChat } from './records.ts';
import type { ThreadQuery } from './visible-threads.ts';

export const selectThreads = (threads: ThreadQuery) =>
  threads
    .select([
      'threads.id',
      'threads.groupIds',
      'threads.tags',
      'threads.properties',
      'threads.active',
      'threads.createdAt',
      'threads.closedAt',
    ])
    .select(['chats.customerId', 'customers.name as customerName']);

type ThreadRow = Awaited<ReturnType<ReturnType<typeof selectThreads>['execute']>>[number];

const loadEvents = async (scope: OrganizationScope, threadIds: string[]): Promise<Map<string, EventRecord[]>> => {
  const rows = await scope
    .from('events')
    .where('threadId', 'in', threadIds)
    .where('visibility', '=', 'all')
    .orderBy('threadId')
    .orderBy('number')
    .selectAll()
    .execute();
  return Map.groupBy(rows.map(toEvent), ({ threadId }) => threadId);
};

/** Agents who have left keep their names here. */
const loadAgents = async (scope: OrganizationScope, threadIds: string[]) => {
  const rows = await scope
    .from('threadAgents')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.organizationId', '=', 'threadAgents.organizationId')
        .onRef('agents.id', '=', 'threadAgents.agentId'),
    )
    .where('threadAgents.threadId', 'in', threadIds)
    .orderBy('agents.id')
    .select(['threadAgents.threadId', 'agents.id as login', 'agents.name'])
    .execute();
  return Map.groupBy(rows, ({ threadId }) => threadId);
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const readProperties = ({ properties }: ThreadRow): Pick<ArchivedChat, 'rating' | 'startUrl' | 'referrer'> => {
  const score = properties.rating?.score;
  const startUrl = textOf(properties.routing?.start_url);
  const referrer = textOf(properties.routing?.referrer);
  return {
    ...(score === 1 || score === 0 ? { rating: score === 1 ? 'good' : 'bad' } : {}),
    ...(startUrl ? { startUrl } : {}),
    ...(referrer ? { referrer } : {}),
  };
};

const readTimes = (row: ThreadRow, now: Date): Pick<ArchivedChat, 'startedAt' | 'endedAt' | 'durationSeconds'> => {
  const endedAt = row.active ? undefined : (row.closedAt ?? undefined);
  const milliseconds = (endedAt ?? now).getTime() - row.createdAt.getTime();
  return {
    startedAt: row.createdAt,
    ...(endedAt ? { endedAt } : {}),
    durationSeconds: Math.max(0, Math.floor(milliseconds / 1000)),
  };
};

/** Fills a page of threads with two more questions, however many they are. */
export const loadArchivedChats = async (scope: OrganizationScope, rows: ThreadRow[]): Promise<ArchivedChat[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [events, agents] = await Promise.all([loadEvents(scope, ids), loadAgents(scope, ids)]);
  const now = scope.now();
  return rows.map((row) => ({
    id: row.id,
    customer: { id: row.customerId, ...(row.customerName ? { name: row.customerName } : {}) },
    agents: (agents.get(row.id) ?? []).map(({ login, name }) => ({ login, name })),
    groupIds: row.groupIds,
    tags: row.tags,
    ...readProperties(row),
    ...readTimes(row, now),
    events: events.get(row.id) ?? [],
  }));
};
