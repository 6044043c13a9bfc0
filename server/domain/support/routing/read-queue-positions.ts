import { executorOf } from '#server/storage/scope.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type CompletedQueueEntry, queuePositions } from './queue-positions.ts';
import type { QueuePosition } from './records.ts';
import type { QueuedChat } from './routing-snapshot.ts';

/** The most recent departures show how fast the queue moves now. */
const MAX_RECENT = 100;

const RECENT = `
select q.id as "queueEntryId", q.group_ids as "groupIds", q.entered_at as "enteredAt", q.left_at as "leftAt" from queue_entries q
where q.organization_id = $1 and q.outcome = 'assigned'
order by q.left_at desc limit ${MAX_RECENT}`;

export interface RecentQueueEntry extends CompletedQueueEntry {
  queueEntryId: number;
}

export const readRecentQueueEntries = async (scope: OrganizationScope): Promise<RecentQueueEntry[]> =>
  (await executorOf(scope.db).query<RecentQueueEntry>({ text: RECENT, values: [scope.organizationId] })).rows;

export const prependRecent = (recent: CompletedQueueEntry[], left: CompletedQueueEntry[]): CompletedQueueEntry[] =>
  [...left, ...recent].slice(0, MAX_RECENT);

const WAITING = `
select q.chat_id as "chatId", q.thread_id as "threadId", q.group_ids as "groupIds", q.entered_at as "enteredAt" from queue_entries q
where q.organization_id = $1 and q.left_at is null and exists (
  select from queue_entries mine
  where mine.organization_id = $1 and mine.left_at is null and mine.thread_id = any($2))
order by q.priority desc, q.entered_at, q.id`;

/**
 * Reads the queue positions of those of these threads that wait, by thread id. Needs only one query when none waits.
 */
export const readQueuePositions = async (
  scope: OrganizationScope,
  threadIds: string[],
): Promise<Map<string, QueuePosition>> => {
  if (threadIds.length === 0) return new Map();
  const values = [scope.organizationId, threadIds];
  const { rows } = await executorOf(scope.db).query<QueuedChat>({ text: WAITING, values });
  if (rows.length === 0) return new Map();
  const positions = queuePositions(rows, await readRecentQueueEntries(scope));
  const requested = rows.filter(({ threadId }) => threadIds.includes(threadId));
  return new Map(requested.map(({ chatId, threadId }) => [threadId, positions.get(chatId)!]));
};
