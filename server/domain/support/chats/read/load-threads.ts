import type { OrganizationScope } from '../../../scope.ts';
import type { ThreadRecord, ThreadWithEvents } from '../records.ts';
import { toEvent } from './read-rows.ts';

/** Customers never receive what agents wrote for each other, wherever they read. */
export const visibleTo = (scope: OrganizationScope): ('all' | 'agents')[] =>
  scope.actor.kind === 'customer' ? ['all'] : ['all', 'agents'];

const loadWorkers = async (scope: OrganizationScope, threadIds: string[]): Promise<Map<string, string[]>> => {
  const rows = await scope
    .from('threadAgents')
    .where('threadId', 'in', threadIds)
    .orderBy('agentId')
    .select(['threadId', 'agentId'])
    .execute();
  const byThread = new Map<string, string[]>(threadIds.map((id) => [id, []]));
  for (const { threadId, agentId } of rows) byThread.get(threadId)!.push(agentId);
  return byThread;
};

/** Adds to each thread its users and its events, as far as the actor may see them. */
export const loadEvents = async (
  scope: OrganizationScope,
  threads: ThreadRecord[],
  customerId: string,
): Promise<ThreadWithEvents[]> => {
  if (threads.length === 0) return [];
  const ids = threads.map(({ id }) => id);
  const [rows, workers] = await Promise.all([
    scope
      .from('events')
      .where('threadId', 'in', ids)
      .where('visibility', 'in', visibleTo(scope))
      .orderBy('threadId')
      .orderBy('number')
      .selectAll()
      .execute(),
    loadWorkers(scope, ids),
  ]);
  const events = Map.groupBy(rows.map(toEvent), ({ threadId }) => threadId);
  return threads.map((thread) => ({
    ...thread,
    events: events.get(thread.id) ?? [],
    userIds: [
      { kind: 'customer', id: customerId },
      ...workers.get(thread.id)!.map((id) => ({ kind: 'agent' as const, id })),
    ],
  }));
};
