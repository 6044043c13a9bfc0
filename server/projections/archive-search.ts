import { bitmapPart, EVERY_FACT, hasBit, slotBit } from '#server/domain/support/archives/bitmap-index.ts';
import { getThreadFacts } from '#server/domain/support/archives/facts.ts';
import { getNoteText, getSearchableText, readEndedThreads } from '#server/domain/support/archives/read-facts.ts';
import { noteWords, ownWords } from '#server/domain/support/archives/words.ts';
import type { Executor } from '#server/storage/executor.ts';
import { listEndedThreads } from './ended-threads.ts';
import { compareWithRebuild, rowsOf } from './maintain.ts';
import type { Projection } from './projection.ts';

const BATCH = 500;

/** All threads of a customer can be found by the customer's name. */
const THREADS_OF_CUSTOMERS = `
select t.id from chats c join threads t on t.organization_id = $1 and t.chat_id = c.id and not t.active
where c.organization_id = $1 and c.customer_id = any ($2::uuid[])`;

const THREADS_OF_GOALS = `
select distinct h.thread_id as id from goal_hits h
where h.organization_id = $1 and h.goal_id = any ($2::int[]) and h.thread_id is not null`;

const CLEAR_BITMAPS = `
update archive_bitmaps b set bitmap = b.bitmap & ~ c.bitmap
from (
  select f.fact, e.day, ${bitmapPart('e.slot')} as part, bit_or(${slotBit('e.slot')}) as bitmap
  from archive_entries e cross join unnest(e.facts || ${EVERY_FACT}::bigint) f(fact)
  where e.organization_id = $1 and e.thread_id = any ($2)
  group by 1, 2, 3
) c
where b.organization_id = $1 and b.fact = c.fact and b.day = c.day and b.part = c.part`;

const REMOVE = 'delete from archive_entries e where e.organization_id = $1 and e.thread_id = any ($2)';

/** A new entry gets the next slot of its day; an updated entry keeps its slot. */
const WRITE = `
with given as (
  select g.*, (g.started_at at time zone 'UTC')::date as day
  from json_to_recordset($2) as g(id text, started_at timestamptz(3), facts bigint[], indexed bigint[], words text[])
), placed as materialized (
  select g.*, coalesce(o.slot,
    (select coalesce(max(e.slot), -1) from archive_entries e where e.organization_id = $1 and e.day = g.day)
      + row_number() over (partition by g.day, o.slot is null order by g.started_at, g.id))::int as slot
  from given g
  left join archive_entries o on o.organization_id = $1 and o.thread_id = g.id
), entry as (
  insert into archive_entries (organization_id, thread_id, started_at, day, slot, facts, words)
  select $1::uuid, p.id, p.started_at, p.day, p.slot, p.facts, array_to_tsvector(p.words) from placed p
  on conflict (organization_id, thread_id) do update set facts = excluded.facts, words = excluded.words
)
insert into archive_bitmaps as b (organization_id, fact, day, part, bitmap)
select $1::uuid, f.fact, p.day, ${bitmapPart('p.slot')}, bit_or(${slotBit('p.slot')})
from placed p cross join unnest(p.indexed || ${EVERY_FACT}::bigint) f(fact)
group by 2, 3, 4
order by 2, 3, 4
on conflict (organization_id, fact, day, part) do update set bitmap = b.bitmap | excluded.bitmap`;

/** A thread has an entry while it has ended and its chat is not anonymized. */
const writeEntries = async (tx: Executor, organizationId: string, threadIds: string[]): Promise<void> => {
  const threads = await readEndedThreads({ executor: tx, organizationId }, threadIds);
  const entries = threads.map((thread) => ({
    id: thread.id,
    started_at: thread.createdAt,
    ...getThreadFacts(organizationId, thread),
    words: [...ownWords(organizationId, getSearchableText(thread)), ...noteWords(organizationId, getNoteText(thread))],
  }));
  const found = new Set(entries.map(({ id }) => id));
  const removed = threadIds.filter((id) => !found.has(id));
  await tx.query({ text: CLEAR_BITMAPS, values: [organizationId, threadIds] });
  if (removed.length > 0) await tx.query({ text: REMOVE, values: [organizationId, removed] });
  if (entries.length > 0) await tx.query({ text: WRITE, values: [organizationId, JSON.stringify(entries)] });
};

const CUSTOMER = 'customer:';
const GOAL = 'goal:';

const getIds = (keys: string[], prefix: string): string[] =>
  keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));

const apply = async (tx: Executor, organizationId: string, keys: string[]): Promise<void> => {
  const threadIds = new Set(keys.filter((key) => !key.includes(':')));
  for (const [prefix, text] of [
    [CUSTOMER, THREADS_OF_CUSTOMERS],
    [GOAL, THREADS_OF_GOALS],
  ] as const) {
    const ids = getIds(keys, prefix);
    if (ids.length === 0) continue;
    const { rows } = await tx.query<{ id: string }>({ text, values: [organizationId, ids] });
    for (const { id } of rows) threadIds.add(id);
  }
  const all = [...threadIds];
  for (let from = 0; from < all.length; from += BATCH)
    await writeEntries(tx, organizationId, all.slice(from, from + BATCH));
};

/** Proceeds in order of start time, so that a batch updates the bitmaps of few days. */
const rebuild = async (tx: Executor, organizationId: string): Promise<void> => {
  const values = [organizationId];
  await tx.query({ text: 'delete from archive_bitmaps b where b.organization_id = $1', values });
  await tx.query({ text: 'delete from archive_entries e where e.organization_id = $1', values });
  for await (const threadIds of listEndedThreads(tx, organizationId, BATCH))
    await writeEntries(tx, organizationId, threadIds);
};

/** The bits of each entry, and the number of all bits, which differs if a bit has no entry. */
const BITS = `
select e.thread_id as key, to_jsonb(b.fact) as columns
from archive_entries e
join archive_bitmaps b on b.organization_id = $1 and b.day = e.day and b.part = ${bitmapPart('e.slot')} and ${hasBit('b.bitmap', 'e.slot')}
where e.organization_id = $1
union all
select 'all bitmaps', to_jsonb(coalesce(sum(bit_count(b.bitmap)), 0)) from archive_bitmaps b where b.organization_id = $1`;

/**
 * The search index of ended chats: an entry with facts and words for each ended thread, and the bitmap index over the facts.
 *
 * Sources: `threads`, `chats.anonymized`, `events`, `customers`, `thread_agents`, `queue_entries`, `goal_hits`, `goals`,
 * `visits`. Keys: thread ids, `customer:<id>` and `goal:<id>` for all threads of a customer or with a goal. Enqueued by the
 * events `chat_deactivated`, `chat_started` (of an inactive chat), `thread_tagged`, `thread_untagged` and
 * `thread_properties_…`; by the append statement for a message in an ended thread; by reaching goals and changing a goal;
 * by a new name or email of a customer; and by the erasure of a customer.
 */
export const archiveSearch: Projection & { name: 'archive_search' } = {
  name: 'archive_search',
  owner: 'organization',
  tables: ['archive_entries', 'archive_bitmaps'],
  batchSize: BATCH,
  apply,
  rebuild,
  check: (tx, organizationId) =>
    compareWithRebuild(
      tx,
      organizationId,
      [
        // Slots are assigned in the order in which entries are first written, which a rebuild may change.
        rowsOf({ table: 'archive_entries', owner: 'organization_id', key: 'r.thread_id', ignored: ['slot'] }),
        BITS,
      ],
      rebuild,
    ),
};
