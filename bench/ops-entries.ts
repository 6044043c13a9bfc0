import { bitOf, EVERY_FACT, partOf } from '#server/domain/support/archives/entry-sql.ts';
import { wordsOf } from '#server/domain/support/archives/words.ts';
import { ODD_WORDS_SAID, SAID } from './ops-rows.ts';

/** The words of every thread, as the program reads them. */
const usual = wordsOf([...SAID, '@home.test', 'Customer'].join(' '))
  .map((word) => `'${word}'`)
  .join(', ');

const WORDS = `array[${usual}, s.customer::text, 'customer' || s.customer] || ${ODD_WORDS_SAID}`;

const SALE = `s.reached and (s.luck < 0.2 or s.n / 10 % 4 = 3)`;

const FACTS = `array_remove(array[
  'visitor ' || s.customer_id, 'agent ' || s.agent_id, 'group ' || s.group_ids[1],
  case when s.reached then 'goal ' || 1 + s.n / 10 % 4 end, 'has_goal ' || s.reached,
  case when ${SALE} then 'sale ' || 1 + s.n / 10 % 4 end, 'has_sale ' || (${SALE}),
  'queued ' || s.queued,
  case when s.score is not null then 'rate rated' end,
  'rate ' || case s.score when 1 then 'rated_good' when 0 then 'rated_bad' else 'not_rated' end,
  'comment false', 'type ' || case when s.agent_id is null then 'missed_chat' else 'chat' end, 'tagged ' || (s.tags <> '{}'), 'tag ' || s.tags[1]], null)`;

const NUMBER = `('x' || encode(substring(sha256(convert_to(s.organization_id || ' ' || f, 'UTF8')) for 8), 'hex'))::bit(64)::bigint`;

/** The same entries, and the same bits, that the program would have written, which takes it an hour; a test compares them. */
export const ENTRIES = `
with day as (
  select s.day, (select count(*) from archive_entries e where e.organization_id = s.organization_id and e.day = s.day) as before
  from (select distinct s.organization_id, s.day from seeds s) s
), entry as (
  insert into archive_entries (organization_id, thread_id, chat_id, started_at, day, slot, facts, words, session_fields)
  select s.organization_id, s.id, s.id, s.at, s.day, d.before + row_number() over (partition by s.day order by s.n) - 1,
    array(select ${NUMBER} from unnest(${FACTS}) f),
    array_to_tsvector(array(select distinct left(s.organization_id::text, 8) || w from unnest(${WORDS}) w)), '[]'
  from seeds s join day d on d.day = s.day
  order by s.n
  returning organization_id, day, slot, facts
)
insert into archive_bits as b (organization_id, fact, day, part, bits)
select e.organization_id, f.fact, e.day, ${partOf('e.slot')}, bit_or(${bitOf('e.slot')})
from entry e cross join unnest(e.facts[2:] || ${EVERY_FACT}::bigint) f(fact)
group by 1, 2, 3, 4
on conflict (organization_id, fact, day, part) do update set bits = b.bits | excluded.bits`;

/** Made at the end, all at once, and as they were. */
export const readIndexes = `
select indexname as name, indexdef as text from pg_indexes
where schemaname = current_schema() and tablename = 'archive_entries' and indexdef like '% USING gin %'`;
