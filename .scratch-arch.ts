import { mkdirSync } from 'node:fs';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#server/storage/embedded.ts';
import { migrate } from '#server/storage/migrate.ts';
import { migrations } from '#server/storage/migrations/index.ts';
import { openContext } from '#server/context.ts';
import { readConfig } from '#server/config.ts';
import { listArchivedChats } from '#server/domain/archives/list-archived-chats.ts';
import { chatPresenter } from '#server/surfaces/chat-ops/present-chat.ts';
import { openOrganizationScope, openPlatformScope } from '#server/domain/scope.ts';
import { createOrganization } from '#server/domain/licences/organizations.ts';
import { keepArchive } from '#server/domain/archives/keep-archive.ts';

const N = Number(process.env.N ?? 1000000);
const dir = '/tmp/arch/data';
mkdirSync(dir, { recursive: true });
const server = { pid: 0, connection: { host: '/tmp/arch/data/postgres-socket', port: 5432, user: 'parley', database: 'parley' }, stop: async () => {} };
console.log('pg', server.pid, JSON.stringify(server.connection));
const connection = server.connection as pg.PoolConfig;
// await migrate(connection, migrations);
const config = { ...readConfig({ DATA_DIR: '/tmp/arch/app', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }) };
const ctx = await openContext({ config, secrets: { secretKey: 'secret-key-for-tests-only', operatorToken: 'operator-token-for-tests' }, connection, log: pino({ level: 'silent' }), publicUrl: () => 'http://x' });
const client = new pg.Client(connection);
await client.connect();
let org = (await client.query("select id from organizations where name = 'Bench'")).rows[0]?.id;
let key = '';
const t0 = Date.now();
const lap = (s: string) => console.log(s, ((Date.now() - t0) / 1000).toFixed(1));
if (!org) {
  const made = await createOrganization(openPlatformScope(ctx.services, { kind: 'system' }), { name: 'Bench', owner: { login: 'owner@bench.test', name: 'O', password: 'a long password' } });
  org = made.organization.id; key = made.owner.apiKey;
  await client.query('create table if not exists k (v text)'); await client.query('insert into k values ($1)', [key]);
  await client.query("set session_replication_role = replica");
  for (let i = 0; i < 20; i++) await client.query(`insert into agents select organization_id, 'a${i}@bench.test', name, job_title, avatar, 'normal', login_status, status, daily_summary, notifications, max_chats_count, password_hash, decode(md5('${i}'),'hex'), api_key_sealed from agents where organization_id=$1 and id='owner@bench.test'`.replace('insert into agents', 'insert into agents (organization_id,id,name,job_title,avatar,permission,login_status,status,daily_summary,notifications,max_chats_count,password_hash,api_key_hash,api_key_sealed,created_at)').replace('api_key_sealed from', 'api_key_sealed, now() from'), [org]);
  await client.query(`insert into customers (organization_id, id, name, email, created_at) select $1, md5('c'||n)::uuid, 'Customer ' || n, 'c'||n||'@home.test', now() from generate_series(0, $2::int - 1) n`, [org, N / 10]);
  await client.query(`create table seeds as select 'S' || lpad(s.n::text, 9, '0') as id, s.n, now() - interval '1 minute' * s.n as at, md5('c'||(s.n % ($1::int/10)))::uuid as customer_id from generate_series(1, $1::int) s(n)`, [N]);
  lap('seeds');
  await client.query(`insert into chats (organization_id, id, customer_id, group_ids, active, last_thread_id, last_thread_created_at, event_count, last_event_at, created_at) select $1, id, customer_id, '{0}', false, id, at, 5, at, at from seeds`, [org]);
  await client.query(`insert into threads (organization_id, id, chat_id, active, group_ids, tags, properties, created_at, closed_at) select $1, id, id, false, array[n % 5], case when n % 10 = 0 then array['sale'] when n % 1000 = 1 then array['rare'] else '{}' end, case n % 4 when 0 then '{"rating":{"score":1}}'::jsonb when 1 then '{"rating":{"score":0,"comment":"slow"}}' else '{}' end, at, at + interval '5 min' from seeds`, [org]);
  await client.query(`insert into thread_agents select $1, id, 'a' || (n % 20) || '@bench.test' from seeds`, [org]);
  lap('threads');
  await client.query(`insert into events (organization_id, thread_id, number, chat_id, type, author_kind, author_id, visibility, content, created_at)
     select $1, id, m, id, case when m = 5 then 'system_message' else 'message' end,
       case when m = 5 then 'system' else 'customer' end, case when m < 5 then customer_id::text end,
       'all', case when m = 5 then '{"systemMessageType": "manual_archived_customer", "text": "The customer closed the chat"}'::jsonb
         else jsonb_build_object('text', 'Hello, I would like to know when my order arrives, please. item' || ((n * 7 + m) % 50000) || ' word' || (n % 100)) end, at
     from seeds, generate_series(1, 5) m`, [org]);
  lap('events');
  await client.query('insert into archive_marks (organization_id, thread_id) select $1, id from seeds order by n desc', [org]);
  await client.query('vacuum (analyze) chats, threads, events, customers, thread_agents, archive_marks');
  lap('analyzed');
}
key = (await client.query('select v from k')).rows[0].v;
const scope = openOrganizationScope(ctx.services, { kind: 'system' }, org);
for (let kept = 1; kept > 0; ) { kept = await keepArchive(scope, performance.now() + 20000); lap(`kept ${kept}`); }
await client.query('vacuum (analyze) archive_entries, archive_marks');
lap('ready');
console.log((await client.query("select pg_size_pretty(pg_total_relation_size('archive_entries')) t, pg_size_pretty(pg_relation_size('archive_entries')) h, pg_size_pretty(pg_relation_size('archive_entries_by_time')) i, pg_size_pretty(pg_relation_size('archive_entries_facts')) f, pg_size_pretty(pg_relation_size('archive_entries_words')) w")).rows);
const owner = openOrganizationScope(ctx.services, { kind: 'agent', id: 'owner@bench.test', permission: 'owner', groupIds: [0] }, org);
const cases: object[] = [{}, { page: 1000 }, { agentLogin: 'a3@bench.test', rate: 'rated_bad' }, { groupId: 2, rate: 'rated_good' }, { tags: ['rare'], rate: 'rated_bad' }, { tags: ['rare'] }, { tags: ['sale'], commented: true }, { text: 'order' }, { text: 'item4711' }, { text: 'word7' }, { text: 'word7 order' }, { text: 'item47' }, { text: 'zzzz' }, { visitorId: 'nobody' }, { dateFrom: '2026-01-01', dateTo: '2026-06-30', agentLogin: 'a3@bench.test', groupId: 3 }, { agentLogin: 'a3@bench.test', groupId: 1 }, { text: 'word7', agentLogin: 'a7@bench.test' }, { hasGoal: true }, { queued: false, hasSale: false }];
for (const input of cases) {
  const times: number[] = []; let total = 0;
  for (let i = 0; i < 31; i++) { const s = performance.now(); const r = await listArchivedChats(owner, input); JSON.stringify(r.items.map(chatPresenter(r.timeZone))); times.push(performance.now() - s); total = r.total; }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify(input).padEnd(80), 'min', times[0]?.toFixed(1), 'p50', times[15]?.toFixed(1), 'p95', times[29]?.toFixed(1), 'total', total);
}
await ctx.close(); await client.end(); await server.stop();
