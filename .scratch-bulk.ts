import pg from 'pg';
const client = new pg.Client({ host: '/tmp/arch/data/postgres-socket', port: 5432, user: 'parley', database: 'parley' });
await client.connect();
const org = (await client.query("select id from organizations where name='Bench'")).rows[0].id;
const t0 = Date.now();
const lap = (s: string) => console.log(s, ((Date.now() - t0) / 1000).toFixed(1));
await client.query('drop index if exists archive_entries_facts, archive_entries_words, archive_entries_by_time');
await client.query('truncate archive_entries, archive_marks');
await client.query(`create or replace function f(o uuid, t text) returns bigint language sql immutable as $$ select ('x' || encode(substring(sha256(convert_to(o::text || ' ' || t, 'UTF8')) for 8), 'hex'))::bit(64)::bigint $$`);
await client.query("set max_parallel_workers_per_gather=2; set maintenance_work_mem='1GB'; set session_replication_role = replica");
await client.query(`insert into archive_entries (organization_id, thread_id, chat_id, started_at, facts, words, session_fields)
select $1, s.id, s.id, s.at, array[f($1,'visitor '||s.customer_id), f($1,'agent a'||(n%20)||'@bench.test'), f($1,'group '||(n%5)), f($1,'has_goal false'), f($1,'has_sale false'), f($1,'queued false'), f($1, 'type chat'), f($1,'tagged ' || (n%10=0 or n%1000=1)::text), f($1,'comment ' || (n%4=1)::text)]
 || case n%4 when 0 then array[f($1,'rate rated'),f($1,'rate rated_good')] when 1 then array[f($1,'rate rated'),f($1,'rate rated_bad')] else array[f($1,'rate not_rated')] end
 || case when n % 10 = 0 then array[f($1,'tag sale')] when n % 1000 = 1 then array[f($1,'tag rare')] else '{}'::bigint[] end,
 array_to_tsvector(array(select distinct left($1::text, 8) || w from unnest(array['customer', (n % ($2::int/10))::text, 'c'||(n % ($2::int/10)),'home','test','hello','i','would','like','to','know','when','my','order','arrives','please','word'||(n%100),'item'||((n*7+1)%50000),'item'||((n*7+2)%50000),'item'||((n*7+3)%50000),'item'||((n*7+4)%50000)]) w)), '[]'
from seeds s order by n desc`, [org, 1000000]);
lap('entries');
await client.query('create index archive_entries_by_time on archive_entries (organization_id, started_at, thread_id) include (chat_id, facts)');
await client.query('create index archive_entries_facts on archive_entries using gin (facts) with (fastupdate = off)');
lap('facts');
await client.query('create index archive_entries_words on archive_entries using gin (words) with (fastupdate = off)');
lap('words');
await client.query('vacuum (analyze) archive_entries'); await client.query('vacuum analyze archive_marks');
lap('vacuumed');
console.log((await client.query("select pg_size_pretty(pg_relation_size('archive_entries')) h, pg_size_pretty(pg_relation_size('archive_entries_by_time')) i, pg_size_pretty(pg_relation_size('archive_entries_facts')) f, pg_size_pretty(pg_relation_size('archive_entries_words')) w")).rows);
await client.end();
