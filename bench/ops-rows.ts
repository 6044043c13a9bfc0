/** The shape of the seeded organization. */
export const YEARS = 3;
export const AGENTS = 20;
export const GROUPS = 5;
export const TAGS = 8;
/** Answered a tenth of all chats, all of them in the first year. */
export const FORMER_AGENT = 'former@bench.test';
/** The share of chats that no agent answers. */
const MISSED_SHARE = 0.04;
export const EVENTS_PER_CHAT = 5;
export const MESSAGES = [
  'Hello, I would like to know when my order arrives, please.',
  'Let me look that up for you.',
  'It is the blue one, size 42.',
  'It is on its way and arrives tomorrow.',
];
/** Every message ends with one of this many made-up words, chosen pseudorandomly, so that each has a known frequency. */
export const RARE_WORDS = 2048;

const SPAN = `interval '${YEARS} years'`;

/** Deterministic pseudorandom numbers. */
const random = (salt: number): string => `((hashint4(n * 31 + ${salt}) & 65535) / 65536.0)`;
const pick = (salt: number, from: number): string => `(hashint4(n * 17 + ${salt}) & 1048575) % ${from}`;
const rareWord = (k: string): string => `'w' || lpad((hashint4(s.n * 7 + ${k}) & ${RARE_WORDS - 1})::text, 4, '0')`;

/** `$1` the organization, `$2` the number of chats, `$3` the number of customers, `$4` the start time of the seeding. */
export const SHOP = `
create temporary table shop as
select $1::uuid as organization_id, $2::int as chats, $3::int as customers, $4::timestamptz(3) as now, $4::timestamptz(3) - ${SPAN} as opened`;

const PEOPLE = `(select 'agent' || n || '@bench.test' as id, n from generate_series(1, ${AGENTS}) n) a`;

/** Rows that do not depend on chats; they use the table that {@link SHOP} creates. */
export const BASE_ROWS = [
  `insert into groups (organization_id, id, name, created_at)
   select o.organization_id, g, 'Group ' || g, o.opened from shop o, generate_series(1, ${GROUPS - 1}) g`,
  `insert into agents (organization_id, id, name, job_title, permission, login_status, status, daily_summary, notifications,
     max_chats_count, api_key_hash, api_key_sealed, created_at)
   select o.organization_id, a.id, a.id, 'Agent', 'normal', 'accepting chats', 'offline', true, '{}', 6,
     decode(md5(o.organization_id || a.id), 'hex'), '', o.opened
   from shop o, (select a.id from ${PEOPLE} union all select '${FORMER_AGENT}') a`,
  `insert into agent_groups (organization_id, agent_id, group_id)
   select o.organization_id, a.id, a.n % ${GROUPS} from shop o, ${PEOPLE}`,
  `insert into agent_status_changes (organization_id, agent_id, status, reason, changed_at)
   select o.organization_id, a.id, case when h % 2 = 0 then 'accepting chats' else 'offline' end, 'manual',
     date_trunc('day', o.now) - interval '1 day' * d + interval '1 hour' * (7 + h * 2 + a.n % 3)
   from shop o, generate_series(${YEARS * 365}, 1, -1) d, generate_series(0, 3) h, ${PEOPLE}`,
  `insert into customers (organization_id, id, name, email, created_at)
   select o.organization_id, md5(o.organization_id || 'c' || n)::uuid, 'Customer ' || n, 'customer' || n || '@home.test', o.opened
   from shop o, generate_series(0, o.customers - 1) n`,
  `insert into greetings (organization_id, id, group_id, name, rules, created_at)
   select o.organization_id, g, 0, 'Greeting ' || g, '[]', o.opened from shop o, generate_series(1, 4) g`,
  `insert into goals (organization_id, id, name, type, fields, created_at)
   select o.organization_id, g, 'Goal ' || g, case when g = 4 then 'sales_tracker' else 'api' end, '{}', o.opened
   from shop o, generate_series(1, 4) g`,
  `insert into tags (organization_id, group_id, name, author_id, created_at)
   select o.organization_id, t % 2, 'tag' || t, 'agent1@bench.test', o.opened from shop o, generate_series(0, ${TAGS - 1}) t`,
];

/**
 * The chats of one batch, from number `$1` to `$2`, oldest first, with all values that are derived from their numbers. Every
 * tenth chat has a visit.
 */
export const SEEDS = `
create temporary table seeds as
select one.*, (at at time zone 'UTC')::date as day, at + interval '4 minutes' as ended_at,
  luck < 0.12 and agent_id is not null as queued, n % 10 = 0 as visited, n % 10 = 0 and luck < 0.4 as greeted,
  n % 10 = 0 and luck < 0.5 as reached, md5(organization_id || 'v' || n)::uuid as visit_id,
  md5(organization_id || 'c' || customer)::uuid as customer_id
from (
  select o.organization_id, n, 'S' || lpad(n::text, 9, '0') as id,
    (o.opened + (o.now - o.opened) * (n::float8 / o.chats))::timestamptz(3) as at, (n * 7919::bigint) % o.customers as customer,
    case
      when ${random(9)} < ${MISSED_SHARE} then null
      when n < o.chats / 3 and ${random(8)} < 0.3 then '${FORMER_AGENT}'
      else 'agent' || 1 + ${pick(1, AGENTS)} || '@bench.test'
    end as agent_id,
    array[${pick(2, GROUPS)}] as group_ids,
    case when ${random(3)} < 0.5 then array['tag' || ${pick(4, TAGS)}] else '{}' end as tags,
    case when ${random(5)} < 0.2 then (${random(6)} < 0.8)::int end as score, ${random(7)} as luck
  from shop o, generate_series($1::int, $2::int) n
) one`;

const rareWords = MESSAGES.map((_, k) => `(${k + 1}, ${rareWord(`${k + 1}`)})`).join(', ');
const messages = MESSAGES.map((text) => `'${text}'`).join(', ');

/** Rows of the chats of a batch; they use the table that {@link SEEDS} creates. */
export const ROWS = [
  `insert into chats (organization_id, id, customer_id, group_ids, active, last_thread_id, last_thread_created_at,
     event_count, last_event_at, last_events, created_at)
   select s.organization_id, s.id, s.customer_id, s.group_ids, false, s.id, s.at, ${EVENTS_PER_CHAT}, s.ended_at,
     jsonb_build_object('message', jsonb_build_array(s.id, 4), 'system_message', jsonb_build_array(s.id, 5)), s.at from seeds s`,
  `insert into threads (organization_id, id, chat_id, active, group_ids, tags, properties, created_at, closed_at)
   select s.organization_id, s.id, s.id, false, s.group_ids, s.tags,
     case when s.score is null then '{}' else jsonb_build_object('rating', jsonb_build_object('score', s.score)) end
       || case when s.greeted then jsonb_build_object('lc2', jsonb_build_object('greeting_id', 1, 'greeting_unique_id', s.id || '-1')) else '{}' end,
     s.at, s.ended_at from seeds s`,
  `insert into chat_users (organization_id, chat_id, kind, user_id, present, seen_up_to, joined_at)
   select s.organization_id, s.id, k.kind, case k.kind when 'agent' then s.agent_id else s.customer_id::text end, false, s.at, s.at
   from seeds s, (values ('agent'), ('customer')) k(kind) where k.kind = 'customer' or s.agent_id is not null`,
  `insert into thread_agents (organization_id, thread_id, agent_id)
   select s.organization_id, s.id, s.agent_id from seeds s where s.agent_id is not null`,
  `insert into assignments (organization_id, chat_id, thread_id, agent_id, rule, candidates, group_ids, assigned_at, ended_at)
   select s.organization_id, s.id, s.id, s.agent_id, 'least_busy', '[]', s.group_ids, s.at, s.ended_at
   from seeds s where s.agent_id is not null`,
  `insert into events (organization_id, thread_id, number, chat_id, type, author_kind, author_id, visibility, content, created_at)
   select s.organization_id, s.id, e.k, s.id, 'message', case when e.k % 2 = 0 and s.agent_id is not null then 'agent' else 'customer' end,
     case when e.k % 2 = 0 then coalesce(s.agent_id, s.customer_id::text) else s.customer_id::text end, 'all',
     jsonb_build_object('text', (array[${messages}])[e.k] || ' ' || e.word), s.at + interval '48 seconds' * (e.k - 1)
   from seeds s cross join lateral (values ${rareWords}) e(k, word)
   union all
   select s.organization_id, s.id, ${EVENTS_PER_CHAT}, s.id, 'system_message', 'system', null, 'all',
     '{"systemMessageType": "manual_archived_customer", "text": "The customer closed the chat"}', s.ended_at
   from seeds s
   order by 2, 3`,
  `insert into queue_entries (organization_id, chat_id, thread_id, group_ids, priority, entered_at, left_at, outcome)
   select s.organization_id, s.id, s.id, s.group_ids, 0, s.at - interval '1 minute' * s.luck, s.at,
     case when s.queued then 'assigned' else 'left' end
   from seeds s where s.luck < 0.15`,
  `insert into visits (organization_id, id, customer_id, number, group_id, started_at, last_seen_at, ended_at)
   select s.organization_id, s.visit_id, s.customer_id, s.n + 1, s.group_ids[1], s.at, s.at, s.at from seeds s where s.visited`,
  `insert into greeting_displays (organization_id, id, greeting_id, visit_id, customer_id, group_id, agent_id, message,
     displayed_at, accepted_at, canceled_at)
   select s.organization_id, s.id || '-' || g, g, s.visit_id, s.customer_id, s.group_ids[1], coalesce(s.agent_id, '${FORMER_AGENT}'), '', s.at,
     case when s.greeted then s.at end, case when not s.greeted then s.at end
   from seeds s, generate_series(1, 2) g where s.visited`,
  `insert into goal_hits (organization_id, visit_id, goal_id, customer_id, group_id, thread_id, sale, reached_at)
   select s.organization_id, s.visit_id, 1 + s.n / 10 % 4, s.customer_id, s.group_ids[1], s.id,
     case when s.luck < 0.2 then '{"price": "19.90", "currency": "EUR"}'::jsonb end, s.ended_at
   from seeds s where s.reached`,
  `insert into tickets (organization_id, id, subject, status, requester_mail, requester_name, assignee_id, group_ids, tags,
     source_type, rating, rated_at, first_response_at, first_response_by, solved_at, solved_by, created_at, modified_at)
   select s.organization_id, s.id, 'Ticket', 'solved', 'customer' || s.customer || '@home.test', 'Customer ' || s.customer, s.agent_id,
     s.group_ids, s.tags, (array['mail', 'lc2', 'chat-window'])[1 + s.n / 10 % 3], case when s.luck < 0.3 then 'good' end,
     case when s.luck < 0.3 then s.at + interval '3 days' end, s.at + interval '1 hour', s.agent_id, s.at + interval '2 days', s.agent_id,
     s.at, s.at from seeds s where s.n % 10 = 3`,
];
