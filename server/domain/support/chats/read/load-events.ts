import type { OrganizationScope } from '../../../scope.ts';
import type { ThreadRecord, ThreadWithEvents } from '../records.ts';
import { toEvent } from './read-rows.ts';

/** Customers must never receive events that are for agents only. */
export const visibleTo = (scope: OrganizationScope): ('all' | 'agents')[] =>
  scope.actor.kind === 'customer' ? ['all'] : ['all', 'agents'];

const loadThreadAgents = async (scope: OrganizationScope, threadIds: string[]): Promise<Map<string, string[]>> => {
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

/** Adds users and events that the actor may see to each thread. */
export const loadEvents = async (
  scope: OrganizationScope,
  threads: ThreadRecord[],
  customerId: string,
): Promise<ThreadWithEvents[]> => {
  if (threads.length === 0) return [];
  const ids = threads.map(({ id }) => id);
  const [rows, agents] = await Promise.all([
    scope
      .from('events')
      .where('threadId', 'in', ids)
      .where('visibility', 'in', visibleTo(scope))
      .orderBy('threadId')
      .orderBy('number')
      .selectAll()
      .execute(),
    loadThreadAgents(scope, ids),
  ]);
  const events = Map.groupBy(rows.map(toEvent), ({ threadId }) => threadId);
  return threads.map((thread) => ({
    ...thread,
    events: events.get(thread.id) ?? [],
    userIds: [
      { kind: 'customer', id: customerId },
      ...agents.get(thread.id)!.map((id) => ({ kind: 'agent' as const, id })),
    ],
  }));
};
