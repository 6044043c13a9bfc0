import { wordsOf } from '#server/domain/archives/words.ts';
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
  'queued ' || (s.luck < 0.12),
  case when s.score is not null then 'rate rated' end,
  'rate ' || case s.score when 1 then 'rated_good' when 0 then 'rated_bad' else 'not_rated' end,
  'comment false', 'type chat', 'tagged ' || (s.tags <> '{}'), 'tag ' || s.tags[1]], null)`;

const NUMBER = `('x' || encode(substring(sha256(convert_to(s.organization_id || ' ' || f, 'UTF8')) for 8), 'hex'))::bit(64)::bigint`;

/** The same entries that the program would have written, which takes it an hour; a test compares them. */
export const ENTRIES = `
insert into archive_entries (organization_id, thread_id, chat_id, started_at, facts, words, session_fields)
select s.organization_id, s.id, s.id, s.at,
  array(select ${NUMBER} from unnest(${FACTS}) f),
  array_to_tsvector(array(select distinct left(s.organization_id::text, 8) || w from unnest(${WORDS}) w)), '[]'
from seeds s`;

/** Made at the end, all at once, and as they were. */
export const readIndexes = `
select indexname as name, indexdef as text from pg_indexes
where schemaname = current_schema() and tablename = 'archive_entries' and indexdef like '% USING gin %'`;
