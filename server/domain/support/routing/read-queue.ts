import { executorOf } from '#server/storage/scope.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Waiting } from './floor.ts';
import { type EndedStay, placesOf } from './queue-positions.ts';
import type { QueuePlace } from './records.ts';

/** How fast a queue moves now is told by who left it last. */
const MAX_RECENT = 100;

const RECENT = `
select q.id as "stayId", q.group_ids as "groupIds", q.entered_at as "enteredAt", q.left_at as "leftAt" from queue_stays q
where q.organization_id = $1 and q.outcome = 'assigned'
order by q.left_at desc limit ${MAX_RECENT}`;

export interface RecentStay extends EndedStay {
  stayId: number;
}

export const readRecentStays = async (scope: OrganizationScope): Promise<RecentStay[]> =>
  (await executorOf(scope.db).query<RecentStay>({ text: RECENT, values: [scope.organizationId] })).rows;

export const withDepartures = (recent: EndedStay[], left: EndedStay[]): EndedStay[] =>
  [...left, ...recent].slice(0, MAX_RECENT);

const WAITING = `
select q.chat_id as "chatId", q.thread_id as "threadId", q.group_ids as "groupIds", q.entered_at as "enteredAt" from queue_stays q
where q.organization_id = $1 and q.left_at is null and exists (
  select from queue_stays mine
  where mine.organization_id = $1 and mine.left_at is null and mine.thread_id = any($2))
order by q.priority desc, q.entered_at, q.id`;

/** The places of those of these threads that wait, by thread. Asks once when none does. */
export const readQueue = async (scope: OrganizationScope, threadIds: string[]): Promise<Map<string, QueuePlace>> => {
  if (threadIds.length === 0) return new Map();
  const values = [scope.organizationId, threadIds];
  const { rows } = await executorOf(scope.db).query<Waiting>({ text: WAITING, values });
  if (rows.length === 0) return new Map();
  const places = placesOf(rows, await readRecentStays(scope));
  const asked = rows.filter(({ threadId }) => threadIds.includes(threadId));
  return new Map(asked.map(({ chatId, threadId }) => [threadId, places.get(chatId)!]));
};
