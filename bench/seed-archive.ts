import type { Client } from 'pg';
import { keepArchive } from '#server/domain/archives/keep-archive.ts';
import { rebuildFacts } from '#server/domain/reports/keep-facts.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import { type Database, openDatabase } from '#server/storage/database.ts';

export interface Archive {
  organizationId: string;
  chats: number;
  say(line: string): void;
}

const YEARS = 3;
const AGENTS = 20;
const EVENTS_EACH = 5;
const SPAN = `interval '${YEARS} years'`;
/** What one statement writes: enough to be fast, little enough to show that it goes on. */
const CHUNK = 100_000;

/** The n-th of 2,000 words that nobody says: how often each occurs is known. */
const WORD = `'w' || lpad((hashint4(s.n * 7 + e.k) & 2047)::text, 4, '0')`;
const SAID = `(array['Hello, I would like to know when my order arrives, please.', 'Let me look that up for you.',
  'It is the blue one, size 42.', 'It is on its way and arrives tomorrow.', 'Thank you'])[e.k]`;

/** Chance that is the same every time. */
const chance = (salt: number): string => `((hashint4(s.n * 31 + ${salt}) & 65535) / 65536.0)`;
const pick = (salt: number, from: number): string => `(hashint4(s.n * 17 + ${salt}) & 1048575) % ${from}`;

const PEOPLE = [
  `insert into groups (organization_id, id, name, created_at) select $1::uuid, g, 'Group ' || g, now() from generate_series(1, 4) g`,
  `insert into agents (organization_id, id, name, job_title, permission, login_status, status, daily_summary, notifications,
     max_chats_count, api_key_hash, api_key_sealed, created_at)
   select $1::uuid, 'agent' || a || '@bench.test', 'Agent ' || a, 'Agent', 'normal', 'accepting chats', 'offline', true, '{}', 6,
     decode(md5($1::uuid::text || a), 'hex'), '', now() - ${SPAN}
   from generate_series(1, ${AGENTS}) a`,
  `insert into agent_status_changes (organization_id, agent_id, status, reason, changed_at)
   select $1::uuid, 'agent' || a || '@bench.test', case when h % 2 = 0 then 'accepting chats' else 'offline' end, 'manual',
     date_trunc('day', now()) - interval '1 day' * d + interval '1 hour' * (7 + h * 2 + a % 3)
   from generate_series(1, ${AGENTS}) a, generate_series(0, ${YEARS * 365}) d, generate_series(0, 3) h`,
  `insert into customers (organization_id, id, name, email, created_at)
   select $1::uuid, md5($1::uuid::text || 'c' || n)::uuid, 'Customer ' || n, 'customer' || n || '@home.test', now() - ${SPAN}
   from generate_series(0, $2 - 1) n`,
  `insert into greetings (organization_id, id, group_id, name, rules, created_at)
   select $1::uuid, g, 0, 'Greeting ' || g, '[]', now() from generate_series(1, 4) g`,
  `insert into goals (organization_id, id, name, type, fields, created_at)
   select $1::uuid, g, 'Goal ' || g, case when g = 4 then 'sales_tracker' else 'api' end, '{}', now() from generate_series(1, 4) g`,
];

/** The chats from one number to another, oldest first, each with all that is derived from its number. */
const SEEDS = `(
  select s.n, 'S' || lpad(s.n::text, 9, '0') as id, now() - ${SPAN} + ${SPAN} * (s.n::float8 / $3::float8) as at,
    md5($1::uuid::text || 'c' || (s.n * 7919::bigint) % $2)::uuid as customer_id, 'agent' || 1 + ${pick(1, AGENTS)} || '@bench.test' as agent_id,
    array[${pick(2, 5)}] as group_ids,
    case when ${chance(3)} < 0.5 then array['tag' || ${pick(4, 8)}] else '{}' end as tags,
    case when ${chance(5)} < 0.2 then jsonb_build_object('rating', jsonb_build_object('score', (${chance(6)} < 0.8)::int)) else '{}' end as properties,
    ${chance(7)} as luck
  from generate_series($4::int, $5::int) s(n)
) s`;
const END = `s.at + interval '4 minutes'`;
/** Every tenth chat has a visit of its own. */
const VISIT = `md5($1::uuid::text || 'v' || s.n)::uuid`;

const CHATS = [
  `insert into chats (organization_id, id, customer_id, group_ids, active, last_thread_id, last_thread_created_at,
     event_count, last_event_at, last_events, created_at)
   select $1::uuid, s.id, s.customer_id, s.group_ids, false, s.id, s.at, ${EVENTS_EACH}, ${END},
     jsonb_build_object('message', jsonb_build_array(s.id, 4), 'system_message', jsonb_build_array(s.id, 5)), s.at from ${SEEDS}`,
  `insert into threads (organization_id, id, chat_id, active, group_ids, tags, properties, created_at, closed_at)
   select $1::uuid, s.id, s.id, false, s.group_ids, s.tags, s.properties, s.at, ${END} from ${SEEDS}`,
  `insert into chat_users (organization_id, chat_id, kind, user_id, present, seen_up_to, joined_at)
   select $1::uuid, s.id, k.kind, case k.kind when 'agent' then s.agent_id else s.customer_id::text end, false, s.at, s.at
   from ${SEEDS}, (values ('agent'), ('customer')) k(kind)`,
  `insert into thread_agents (organization_id, thread_id, agent_id) select $1::uuid, s.id, s.agent_id from ${SEEDS}`,
  `insert into assignments (organization_id, chat_id, thread_id, agent_id, rule, candidates, group_ids, assigned_at, ended_at)
   select $1::uuid, s.id, s.id, s.agent_id, 'least_busy', '[]', s.group_ids, s.at, ${END} from ${SEEDS}`,
  `insert into events (organization_id, thread_id, number, chat_id, type, author_kind, author_id, visibility, content, created_at)
   select $1::uuid, s.id, e.k, s.id, case when e.k = 5 then 'system_message' else 'message' end,
     case e.k when 5 then 'system' when 2 then 'agent' when 4 then 'agent' else 'customer' end,
     case e.k when 5 then null when 2 then s.agent_id when 4 then s.agent_id else s.customer_id::text end, 'all',
     case when e.k = 5 then '{"systemMessageType": "manual_archived_customer", "text": "The customer closed the chat"}'::jsonb
       else jsonb_build_object('text', ${SAID} || ' ' || ${WORD}) end,
     s.at + interval '48 seconds' * (e.k - 1)
   from ${SEEDS}, generate_series(1, ${EVENTS_EACH}) e(k)`,
  `insert into queue_stays (organization_id, chat_id, thread_id, group_ids, priority, entered_at, left_at, outcome)
   select $1::uuid, s.id, s.id, s.group_ids, 0, s.at - interval '1 minute' * s.luck, s.at, case when s.luck < 0.12 then 'assigned' else 'left' end
   from ${SEEDS} where s.luck < 0.15`,
  `insert into visits (organization_id, id, customer_id, number, group_id, started_at, last_seen_at, ended_at)
   select $1::uuid, ${VISIT}, s.customer_id, s.n + 1, s.group_ids[1], s.at, s.at, s.at from ${SEEDS} where s.n % 10 = 0`,
  `insert into greeting_displays (organization_id, id, greeting_id, visit_id, customer_id, group_id, agent_id, message, displayed_at, accepted_at, canceled_at)
   select $1::uuid, s.id || '-' || g, g, ${VISIT}, s.customer_id, s.group_ids[1], s.agent_id, '', s.at,
     case when s.luck < 0.4 then s.at end, case when s.luck >= 0.4 then s.at end
   from ${SEEDS}, generate_series(1, 2) g where s.n % 10 = 0`,
  `insert into goal_hits (organization_id, visit_id, goal_id, customer_id, group_id, thread_id, sale, reached_at)
   select $1::uuid, ${VISIT}, 1 + s.n / 10 % 4, s.customer_id, s.group_ids[1], s.id,
     case when s.luck < 0.2 then '{"price": "19.90", "currency": "EUR"}'::jsonb end, ${END}
   from ${SEEDS} where s.n % 10 = 0 and s.luck < 0.5`,
  `insert into tickets (organization_id, id, subject, status, requester_mail, requester_name, assignee_id, group_ids, tags,
     source_type, rating, rated_at, first_response_at, first_response_by, solved_at, solved_by, created_at, modified_at)
   select $1::uuid, s.id, 'Ticket', 'solved', 'customer@home.test', 'Customer', s.agent_id, s.group_ids, s.tags,
     (array['mail', 'lc2', 'chat-window'])[1 + s.n / 10 % 3], case when s.luck < 0.3 then 'good' end,
     case when s.luck < 0.3 then s.at + interval '3 days' end, s.at + interval '1 hour', s.agent_id, s.at + interval '2 days', s.agent_id,
     s.at, s.at from ${SEEDS} where s.n % 10 = 3`,
];

const scopeOf = (database: Database, organizationId: string): OrganizationScope => {
  const reactions = { isDurable: () => false, beforeCommit: async () => {}, afterCommit: () => {} };
  const clock = { now: () => new Date() };
  const services = { db: database.kysely, executor: database, clock, reactions } as unknown as Services;
  return openOrganizationScope(services, { kind: 'system' }, organizationId);
};

/** What is kept beside the rows is kept by the program itself, as it would have been in those years. */
const deriveAll = async (connection: object, { organizationId, say }: Archive): Promise<void> => {
  const database = openDatabase({ connection, maxConnections: 2, statementTimeoutMs: 0, onError: () => {} });
  const scope = scopeOf(database, organizationId);
  try {
    await rebuildFacts(scope, (waiting) => say(`${waiting} chats to count for reports`));
    const count = () => scope.from('archiveMarks').select((eb) => eb.fn.countAll<number>().as('waiting'));
    do say(`${(await count().executeTakeFirstOrThrow()).waiting} chats to enter in the archive`);
    while ((await keepArchive(scope, performance.now() + 5_000)) > 0);
  } finally {
    await database.close();
  }
};

/**
 * An archive as it would be after some years, with all that reports count: written straight into the tables, as fast as they
 * take it, and then counted and entered by the program's own verbs.
 */
export const seedArchive = async (client: Client, connection: object, archive: Archive): Promise<void> => {
  const { organizationId, chats, say } = archive;
  const customers = Math.ceil(chats / 4);
  const took = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;
  const started = performance.now();
  // Nobody looks on: what refers to what is right by construction, and what triggers note is noted at the end.
  await client.query(`set session_replication_role = replica; set synchronous_commit = off; set work_mem = '64MB'`);
  for (const text of PEOPLE)
    await client.query(text, text.includes('$2') ? [organizationId, customers] : [organizationId]);
  for (let from = 0; from < chats; from += CHUNK) {
    const to = Math.min(from + CHUNK, chats) - 1;
    for (const text of CHATS) {
      const values = [organizationId, customers, chats, from, to];
      await client.query(text, values);
    }
    say(`${to + 1} of ${chats} chats written after ${took(started)}`);
  }
  await client.query(
    `insert into archive_marks (organization_id, thread_id) select t.organization_id, t.id from threads t where t.organization_id = $1 order by t.created_at`,
    [organizationId],
  );
  await client.query('vacuum (analyze) events, threads, chats, thread_agents, assignments, customers');
  await deriveAll(connection, archive);
  await client.query('vacuum (analyze)');
  say(`seeded in ${took(started)}`);
};
