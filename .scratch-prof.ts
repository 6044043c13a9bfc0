import pg from 'pg';
import { loadArchivedChats } from '#server/domain/archives/load-archived-chats.ts';
const client = new pg.Client({ host: '/tmp/arch/data/postgres-socket', port: 5432, user: 'parley', database: 'parley' });
await client.connect();
const org = (await client.query("select id from organizations where name='Bench'")).rows[0].id;
const ids = (await client.query('select id from seeds where n between 1 and 25')).rows.map((r) => r.id);
let text = '';
try { await loadArchivedChats({ organizationId: org, from: () => { throw new Error('x'); }, executor: { query: async (q: any) => { text = q.text; return { rows: [] }; } } } as never, ids); } catch {}
for (let i = 0; i < 3; i++) { const plan = await client.query('explain (analyze) ' + text, [org, ids]);
 if (i == 2) console.log(plan.rows.map((r) => r['QUERY PLAN']).join('\n').replace(/'\{S[^}]*\}'/g, 'IDS').slice(0, 9000)); }
await client.end();
