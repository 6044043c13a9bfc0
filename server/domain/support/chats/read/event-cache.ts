import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import type { EventRecord } from '../records.ts';
import { toEvent } from './read-rows.ts';
import { EVENT } from './read-sql.ts';

/** Thread, number and revision. A chat stores the pointers of its latest events. */
export type EventPointer = [threadId: string, number: number, revision?: number];

export interface LastEvent {
  threadId: string;
  threadCreatedAt: Date;
  event: EventRecord;
}

/** Cached events by pointer. Entries never become stale, because a changed event has another revision. */
export type EventCache = LRUCache<string, LastEvent>;

const MAX_CACHED = 50_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Estimated overhead per event. */
const ENTRY_OVERHEAD = 500;

export const createEventCache = (): EventCache => new LRUCache({ max: MAX_CACHED, maxSize: MAX_CHARACTERS });

const STATEMENT = `
select ${EVENT}, t.created_at as "threadCreatedAt"
from unnest($2::text[], $3::int[]) p (thread_id, number)
join events e on e.organization_id = $1 and e.thread_id = p.thread_id and e.number = p.number
join threads t on t.organization_id = $1 and t.id = e.thread_id`;

type Row = Parameters<typeof toEvent>[0] & { threadCreatedAt: Date };

/** Loads the events of these pointers. Deleted events are omitted. */
export const loadLastEvents = async (
  scope: { organizationId: string; executor: Executor; services: { support: { eventCache: EventCache } } },
  pointers: EventPointer[],
): Promise<(pointer: EventPointer) => LastEvent | undefined> => {
  const { organizationId, services, executor } = scope;
  const keyOf = ([threadId, number, revision = 0]: EventPointer) =>
    `${organizationId} ${threadId} ${number} ${revision}`;
  const found = new Map<string, LastEvent>();
  const missing: EventPointer[] = [];
  for (const pointer of pointers) {
    const cached = services.support.eventCache.get(keyOf(pointer));
    if (cached) found.set(keyOf(pointer), cached);
    else missing.push(pointer);
  }
  if (missing.length > 0) {
    const values = [organizationId, missing.map(([threadId]) => threadId), missing.map(([, number]) => number)];
    const { rows } = await executor.query<Row>({ name: 'load_last_events', text: STATEMENT, values });
    const byPointer = new Map(rows.map((row) => [`${row.threadId} ${row.number}`, row]));
    for (const pointer of missing) {
      const read = byPointer.get(`${pointer[0]} ${pointer[1]}`);
      if (!read) continue;
      const { threadCreatedAt, ...row } = read;
      const event = toEvent(row);
      const size = ENTRY_OVERHEAD + JSON.stringify(event.content).length + JSON.stringify(event.properties).length;
      const last = { threadId: row.threadId, threadCreatedAt, event };
      services.support.eventCache.set(keyOf(pointer), last, { size });
      found.set(keyOf(pointer), last);
    }
  }
  return (pointer) => found.get(keyOf(pointer));
};
