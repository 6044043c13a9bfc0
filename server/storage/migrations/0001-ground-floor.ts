import type { Migration } from '../migrate.ts';

/**
 * Every owned table's key starts with its owner, and every foreign key carries it: a row of one owner cannot point at
 * another's, and the tables can be distributed by owner. Times keep milliseconds, as the programs that read them do.
 */
export const groundFloor: Migration = {
  id: '0001',
  name: 'ground floor',
  up: `
create table organizations (
  id uuid primary key,
  license_number bigint generated always as identity (start with 10000001) unique,
  name text not null,
  plan text not null,
  status text not null check (status in ('trial', 'active', 'expired', 'blocked')),
  region text not null,
  timezone text not null,
  trusted_domains text[] not null default '{}',
  trial_ends_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table groups (
  organization_id uuid not null references organizations (id),
  id integer not null,
  name text not null,
  language text not null default 'en',
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table agents (
  organization_id uuid not null references organizations (id),
  id text not null check (id = lower(id)),
  name text not null,
  job_title text not null,
  avatar text not null default '',
  permission text not null check (permission in ('owner', 'administrator', 'normal')),
  login_status text not null check (login_status in ('accepting chats', 'not accepting chats')),
  status text not null check (status in ('accepting chats', 'not accepting chats', 'offline')),
  daily_summary boolean not null,
  notifications jsonb not null,
  max_chats_count integer not null,
  password_hash text,
  api_key_hash bytea not null,
  api_key_sealed bytea not null,
  last_logout_at timestamptz(3),
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
create unique index agents_api_key on agents (api_key_hash);
create unique index agents_one_owner on agents (organization_id) where permission = 'owner';

create table agent_groups (
  organization_id uuid not null,
  agent_id text not null,
  group_id integer not null,
  primary key (organization_id, agent_id, group_id),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
);

create table customers (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text,
  email text,
  avatar text,
  session_fields jsonb not null default '[]',
  cookie_secret_hash bytea,
  banned_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table customer_tokens (
  organization_id uuid not null,
  id bytea not null,
  customer_id uuid not null,
  client_id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create unique index customer_tokens_id on customer_tokens (id);
create index customer_tokens_expiry on customer_tokens (expires_at);
create index customer_tokens_customer on customer_tokens (organization_id, customer_id);

-- event_count and last_event_at belong to the last thread. They live here because the append statement locks this row
-- and must number from what it locked. Pages leave room so that these updates stay within one page.
create table chats (
  organization_id uuid not null,
  id text not null,
  customer_id uuid not null,
  group_ids integer[] not null,
  properties jsonb not null default '{}',
  active boolean not null,
  continuous boolean not null default false,
  anonymized boolean not null default false,
  last_thread_id text not null,
  last_thread_created_at timestamptz(3) not null,
  event_count integer not null default 0,
  last_event_at timestamptz(3),
  last_events jsonb not null default '{}',
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
) with (fillfactor = 70);
create index chats_of_customer on chats (organization_id, customer_id, last_thread_created_at, id);
create index chats_by_last_thread on chats (organization_id, last_thread_created_at, id);
create index chats_active on chats (organization_id, customer_id) where active;

create table threads (
  organization_id uuid not null,
  id text not null,
  chat_id text not null,
  active boolean not null,
  group_ids integer[] not null,
  properties jsonb not null default '{}',
  tags text[] not null default '{}',
  previous_thread_id text,
  next_thread_id text,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id)
);
create index threads_of_chat on threads (organization_id, chat_id, created_at, id);
create index threads_by_time on threads (organization_id, created_at, id);
create unique index threads_one_active on threads (organization_id, chat_id) where active;

create table events (
  organization_id uuid not null,
  thread_id text not null,
  number integer not null,
  chat_id text not null,
  type text not null,
  author_kind text not null check (author_kind in ('customer', 'agent', 'system')),
  author_id text,
  custom_id text,
  visibility text not null check (visibility in ('all', 'agents')),
  content jsonb not null,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null,
  primary key (organization_id, thread_id, number)
);
create unique index events_custom_id on events (organization_id, chat_id, author_id, custom_id) where custom_id is not null;

create table chat_users (
  organization_id uuid not null,
  chat_id text not null,
  kind text not null check (kind in ('customer', 'agent')),
  user_id text not null,
  present boolean not null,
  seen_up_to timestamptz(3),
  joined_at timestamptz(3) not null,
  primary key (organization_id, chat_id, kind, user_id),
  foreign key (organization_id, chat_id) references chats (organization_id, id)
) with (fillfactor = 70);
create index chat_users_agents on chat_users (organization_id, user_id) where kind = 'agent' and present;

-- Who worked on a thread; the archive lists and filters by it.
create table thread_agents (
  organization_id uuid not null,
  thread_id text not null,
  agent_id text not null,
  primary key (organization_id, thread_id, agent_id),
  foreign key (organization_id, thread_id) references threads (organization_id, id)
);
create index thread_agents_agent on thread_agents (organization_id, agent_id, thread_id);

create table partners (
  id bigint generated always as identity (start with 100001) primary key,
  login text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  contact_name text not null,
  contact_email text not null,
  websites text[] not null default '{}',
  solution_status text not null default 'none',
  properties jsonb not null default '{}',
  send_monthly_summary boolean not null default true,
  send_reseller_weekly_summary boolean not null default true,
  send_newsletter boolean not null default true,
  send_notifications boolean not null default true,
  referred_by bigint references partners (id),
  blocked boolean not null default false,
  created_at timestamptz(3) not null
);
create unique index partners_login on partners (lower(login));

create table partner_tokens (
  partner_id bigint not null references partners (id),
  id bigint generated always as identity,
  label text not null,
  token_hash bytea not null,
  token_sealed bytea not null,
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (partner_id, id)
);
create unique index partner_tokens_hash on partner_tokens (token_hash);
create unique index partner_tokens_label on partner_tokens (partner_id, lower(label)) where revoked_at is null;

-- Facts about the installation itself, such as whether the demo was made.
create table installation (
  key text primary key,
  value jsonb not null,
  set_at timestamptz(3) not null default now()
);
`,
};
