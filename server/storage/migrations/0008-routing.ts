import type { Migration } from '../migrate.ts';

/**
 * Who answers a chat (`assignee_id`, which counts against that agent's limit) is told apart from who merely reads or
 * writes in it (`chat_users`). A chat waits while it has a stay in the queue that nobody ended.
 */
export const routing: Migration = {
  id: '0008',
  name: 'routing',
  up: `
alter table organizations
  add column idle_close_minutes integer not null default 15,
  add column unassign_minutes integer,
  add column abandon_minutes integer not null default 2,
  add column seats integer;
create index organizations_trial on organizations (trial_ends_at) where status = 'trial';

alter table groups
  add column fallback_group_id integer,
  add column bots_first boolean not null default false,
  add foreign key (organization_id, fallback_group_id) references groups (organization_id, id);

alter table agents
  add column kind text not null default 'person' check (kind in ('person', 'bot')),
  add column away boolean not null default false,
  add column gone_since timestamptz(3),
  add column timezone text,
  add column work_schedule jsonb,
  add column on_shift boolean,
  add column shift_ends_at timestamptz(3);
create index agents_shift on agents (shift_ends_at) where shift_ends_at is not null;
create index agents_gone on agents (gone_since) where gone_since is not null;

alter table chats add column assignee_id text;
update chats set assignee_id = (
  select u.user_id from chat_users u
  where u.organization_id = chats.organization_id and u.chat_id = chats.id and u.kind = 'agent' and u.present
  order by u.joined_at limit 1)
where active;
create index chats_assigned on chats (organization_id, assignee_id) where active and assignee_id is not null;

-- A silent supervisor is there for agents only.
alter table chat_users add column visibility text not null default 'all' check (visibility in ('all', 'agents'));

create table chat_followers (
  organization_id uuid not null,
  chat_id text not null,
  agent_id text not null,
  primary key (organization_id, chat_id, agent_id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index chat_followers_agent on chat_followers (organization_id, agent_id);

create table customer_followers (
  organization_id uuid not null,
  customer_id uuid not null,
  agent_id text not null,
  primary key (organization_id, customer_id, agent_id),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

create table queue_stays (
  organization_id uuid not null,
  id bigint generated always as identity,
  chat_id text not null,
  thread_id text not null,
  group_ids integer[] not null,
  priority integer not null,
  entered_at timestamptz(3) not null,
  left_at timestamptz(3),
  outcome text check (outcome in ('assigned', 'left', 'closed')),
  primary key (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  foreign key (organization_id, thread_id) references threads (organization_id, id),
  check ((left_at is null) = (outcome is null))
);
insert into queue_stays (organization_id, chat_id, thread_id, group_ids, priority, entered_at)
select organization_id, id, last_thread_id, group_ids, 0, last_thread_created_at from chats
where active and assignee_id is null
order by last_thread_created_at;
create unique index queue_stays_waiting on queue_stays (organization_id, chat_id) where left_at is null;
create index queue_stays_order on queue_stays (organization_id, priority desc, entered_at, id) where left_at is null;
create index queue_stays_thread on queue_stays (organization_id, thread_id);
create index queue_stays_assigned on queue_stays (organization_id, left_at) where outcome = 'assigned';
create index queue_stays_time on queue_stays (organization_id, entered_at);

-- Why this agent: who could have answered, how busy each was, and what decided.
create table assignments (
  organization_id uuid not null,
  id bigint generated always as identity,
  chat_id text not null,
  thread_id text not null,
  agent_id text not null,
  rule text not null,
  candidates jsonb not null,
  group_ids integer[] not null,
  assigned_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index assignments_of_chat on assignments (organization_id, chat_id, id);
create index assignments_of_agent on assignments (organization_id, agent_id, assigned_at);

-- One row for each open socket of an agent, kept alive by its process; a process that died is believed until then.
create table agent_connections (
  organization_id uuid not null,
  id uuid not null,
  agent_id text not null,
  away boolean not null default false,
  connected_at timestamptz(3) not null,
  alive_until timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_connections_agent on agent_connections (organization_id, agent_id);
create index agent_connections_alive on agent_connections (alive_until);

-- Availability is reported over years, so every change is kept.
create table agent_status_changes (
  organization_id uuid not null,
  id bigint generated always as identity,
  agent_id text not null,
  status text not null check (status in ('accepting chats', 'not accepting chats', 'offline')),
  reason text not null,
  changed_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_status_changes_time on agent_status_changes (organization_id, agent_id, changed_at);

-- A visit has ended when its customer left the site. Those that go on are few, and what changes with every page stays out
-- of the index.
alter table visits add column ip text, add column ended_at timestamptz(3);
update visits set ended_at = last_seen_at;
create index visits_going_on on visits (organization_id) where ended_at is null;

-- Agents list customers.
create index customers_by_time on customers (organization_id, created_at, id);
create index customers_by_visits on customers (organization_id, visits_count, id);
create index customers_by_email on customers (organization_id, lower(email)) where email is not null;
create index customers_by_name on customers (organization_id, lower(name)) where name is not null;
`,
};
