/** So many entries share one row of bits; as wide as the column. */
export const WIDTH = 1024;
const NONE = `B'0'::bit(${WIDTH})`;

/** The bit of an entry, in the row that its number belongs to. */
export const partOf = (slot: string): string => `${slot} / ${WIDTH}`;
export const bitOf = (slot: string): string => `set_bit(${NONE}, ${slot} % ${WIDTH}, 1)`;

/** Every entry has it, so that all of them can be counted. */
export const EVERY_FACT = '0';

/** Takes the bits of the entries `$2` away, all of them: facts that were never counted have none. */
export const CLEAR_BITS = `
update archive_bits b set bits = b.bits & ~ c.bits
from (
  select f.fact, e.day, ${partOf('e.slot')} as part, bit_or(${bitOf('e.slot')}) as bits
  from archive_entries e cross join unnest(e.facts || ${EVERY_FACT}::bigint) f(fact)
  where e.organization_id = $1 and e.thread_id = any ($2)
  group by 1, 2, 3
) c
where b.organization_id = $1 and b.fact = c.fact and b.day = c.day and b.part = c.part`;

/** Writes entries and sets their bits; one that is written for the first time gets the next number of its day. */
export const WRITE_ENTRIES = `
with given as (
  select g.*, (g.started_at at time zone 'UTC')::date as day
  from json_to_recordset($2) as g(id text, chat_id text, started_at timestamptz(3), facts bigint[], shared bigint[], words text[],
    session_fields jsonb)
), placed as materialized (
  select g.*, coalesce(o.slot,
    (select coalesce(max(e.slot), -1) from archive_entries e where e.organization_id = $1 and e.day = g.day)
      + row_number() over (partition by g.day, o.slot is null order by g.started_at, g.id))::int as slot
  from given g
  left join archive_entries o on o.organization_id = $1 and o.thread_id = g.id
), entry as (
  insert into archive_entries (organization_id, thread_id, chat_id, started_at, day, slot, facts, words, session_fields)
  select $1::uuid, p.id, p.chat_id, p.started_at, p.day, p.slot, p.facts, array_to_tsvector(p.words), p.session_fields from placed p
  on conflict (organization_id, thread_id) do update set facts = excluded.facts, words = excluded.words
)
insert into archive_bits as b (organization_id, fact, day, part, bits)
select $1::uuid, f.fact, p.day, ${partOf('p.slot')}, bit_or(${bitOf('p.slot')})
from placed p cross join unnest(p.shared || ${EVERY_FACT}::bigint) f(fact)
group by 2, 3, 4
order by 2, 3, 4
on conflict (organization_id, fact, day, part) do update set bits = b.bits | excluded.bits`;
