import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import type { EventRecord } from '../records.ts';
import { toEvent } from './read-rows.ts';
import { EVENT } from './read-sql.ts';

/** Thread, number, and how often the event was changed since; a chat keeps these of its newest events. */
export type EventPointer = [threadId: string, number: number, revision?: number];

export interface LastEvent {
  threadId: string;
  threadCreatedAt: Date;
  event: EventRecord;
}

/** Events that were read before. What a pointer names never changes: a changed event has another revision. */
export type KnownEvents = LRUCache<string, LastEvent>;

const MAX_CACHED = 50_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** What an event weighs beside its content. */
const FRAME = 500;

export const createKnownEvents = (): KnownEvents => new LRUCache({ max: MAX_CACHED, maxSize: MAX_CHARACTERS });

const STATEMENT = `
select ${EVENT}, t.created_at as "threadCreatedAt"
from unnest($2::text[], $3::int[]) p (thread_id, number)
join events e on e.organization_id = $1 and e.thread_id = p.thread_id and e.number = p.number
join threads t on t.organization_id = $1 and t.id = e.thread_id`;

type Row = Parameters<typeof toEvent>[0] & { threadCreatedAt: Date };

/** The events that the pointers name; one that was removed since then is none. */
export const loadLastEvents = async (
  scope: { organizationId: string; executor: Executor; services: { knownEvents: KnownEvents } },
  pointers: EventPointer[],
): Promise<(pointer: EventPointer) => LastEvent | undefined> => {
  const { organizationId, services, executor } = scope;
  const keyOf = ([threadId, number, revision = 0]: EventPointer) =>
    `${organizationId} ${threadId} ${number} ${revision}`;
  const found = new Map<string, LastEvent>();
  const missing: EventPointer[] = [];
  for (const pointer of pointers) {
    const known = services.knownEvents.get(keyOf(pointer));
    if (known) found.set(keyOf(pointer), known);
    else missing.push(pointer);
  }
  if (missing.length > 0) {
    const values = [organizationId, missing.map(([threadId]) => threadId), missing.map(([, number]) => number)];
    const { rows } = await executor.query<Row>({ name: 'load_last_events', text: STATEMENT, values });
    const byPlace = new Map(rows.map((row) => [`${row.threadId} ${row.number}`, row]));
    for (const pointer of missing) {
      const read = byPlace.get(`${pointer[0]} ${pointer[1]}`);
      if (!read) continue;
      const { threadCreatedAt, ...row } = read;
      const event = toEvent(row);
      const size = FRAME + JSON.stringify(event.content).length + JSON.stringify(event.properties).length;
      const last = { threadId: row.threadId, threadCreatedAt, event };
      services.knownEvents.set(keyOf(pointer), last, { size });
      found.set(keyOf(pointer), last);
    }
  }
  return (pointer) => found.get(keyOf(pointer));
};
