import type { Migration } from '../migrate.ts';

/**
 * Organizations, their agents and groups, and how people and applications sign in.
 *
 * Every owned table's key starts with its owner, and every foreign key carries it: a row of one owner cannot reference
 * another's, and the tables can be distributed by owner. Times are stored with millisecond precision, as on the wire.
 */
export const accounts: Migration = {
  id: '0001',
  name: 'accounts',
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
  created_at timestamptz(3) not null,
  properties jsonb not null default '{}',
  product_version integer not null default 1,
  idle_close_minutes integer not null default 15,
  unassign_minutes integer,
  abandon_minutes integer not null default 2,
  seats integer,
  -- The address from which the organization's mail server forwards email. Each organization also has a numbered address.
  mail_address text check (mail_address = lower(mail_address)),
  product text not null default 'mainchat'
    check (product in ('mainchat', 'chatbot', 'helpdesk')),
  paid_until timestamptz(3)
);
create index organizations_trial on organizations (trial_ends_at) where status = 'trial';
create unique index organizations_mail_address on organizations (mail_address) where mail_address is not null;
create index organizations_paid on organizations (paid_until) where status = 'active';

create table groups (
  organization_id uuid not null references organizations (id),
  id integer not null,
  name text not null,
  language text not null default 'en',
  created_at timestamptz(3) not null,
  properties jsonb not null default '{}',
  appearance jsonb not null default '{}',
  buttons jsonb,
  phrases jsonb not null default '{}',
  forms jsonb not null default '{}',
  fallback_group_id integer,
  bots_first boolean not null default false,
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, fallback_group_id) references groups (organization_id, id)
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
  kind text not null default 'person' check (kind in ('person', 'bot')),
  away boolean not null default false,
  disconnected_at timestamptz(3),
  timezone text,
  work_schedule jsonb,
  on_shift boolean,
  shift_ends_at timestamptz(3),
  primary key (organization_id, id)
);
create unique index agents_api_key on agents (api_key_hash);
create unique index agents_one_owner on agents (organization_id) where permission = 'owner';
create index agents_accepting on agents (organization_id, id) where status = 'accepting chats' and deleted_at is null;
create index agents_shift on agents (shift_ends_at) where shift_ends_at is not null;
create index agents_disconnected on agents (disconnected_at) where disconnected_at is not null;
create index agents_by_login on agents (id) where deleted_at is null;

create table agent_groups (
  organization_id uuid not null,
  agent_id text not null,
  group_id integer not null,
  primary key (organization_id, agent_id, group_id),
  foreign key (organization_id, agent_id) references agents (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
);

-- State of the installation, such as whether the demo data was created.
create table installation (
  key text primary key,
  value jsonb not null,
  set_at timestamptz(3) not null default now()
);

create table property_definitions (
  organization_id uuid not null references organizations (id),
  namespace text not null,
  name text not null,
  type text not null check (type in ('string', 'int', 'bool', 'any')),
  access jsonb not null,
  domain jsonb,
  range jsonb,
  max_length integer,
  created_at timestamptz(3) not null,
  primary key (organization_id, namespace, name)
);

-- One row per email to an agent. The id of an activation is the keyed hash of the secret in its link.
create table agent_email_tokens (
  organization_id uuid not null,
  id bytea not null,
  agent_id text not null,
  kind text not null check (kind in ('activation', 'removal_notice', 'reset', 'sign_in')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create unique index agent_email_tokens_id on agent_email_tokens (id);
create index agent_email_tokens_by_time on agent_email_tokens (organization_id, created_at);

create table oauth_clients (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  secret_hash bytea,
  redirect_uris text[] not null,
  scopes text[] not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (id)
);

create table oauth_codes (
  organization_id uuid not null,
  id bytea not null,
  client_id uuid not null,
  agent_id text not null,
  family_id uuid not null,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('plain', 'S256')),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  unique (id),
  foreign key (organization_id, client_id) references oauth_clients (organization_id, id) on delete cascade,
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index oauth_codes_end on oauth_codes (expires_at);

-- A family is all tokens of one authorization. Reuse of a refresh token revokes its family.
create table oauth_tokens (
  organization_id uuid not null,
  id bytea not null,
  number bigint generated always as identity,
  kind text not null check (kind in ('access', 'refresh')),
  client_id uuid not null,
  agent_id text not null,
  family_id uuid not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  unique (id),
  foreign key (organization_id, client_id) references oauth_clients (organization_id, id) on delete cascade,
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index oauth_tokens_of_agent on oauth_tokens (organization_id, agent_id, client_id, kind, number);
create index oauth_tokens_of_client on oauth_tokens (organization_id, client_id);
create index oauth_tokens_of_family on oauth_tokens (organization_id, family_id);
create index oauth_tokens_end on oauth_tokens (expires_at);

create table agent_sessions (
  organization_id uuid not null,
  id bytea not null,
  agent_id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  user_agent text not null default '',
  ip text not null default '',
  primary key (organization_id, id),
  unique (id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_sessions_of_agent on agent_sessions (organization_id, agent_id);
create index agent_sessions_end on agent_sessions (expires_at);

-- id: a keyed hash of the login or network address. resets_at: when earlier attempts no longer count. refused: whether
-- the last attempt was refused.
create unlogged table sign_in_attempts (
  id bytea primary key,
  resets_at timestamptz(3) not null,
  refused boolean not null default false
);

-- last_step: the time step of the last accepted code, in units of 30 seconds. Codes up to it are rejected.
create table agent_two_factor (
  organization_id uuid not null,
  agent_id text not null,
  secret_sealed bytea not null,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  last_step integer,
  primary key (organization_id, agent_id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

-- id: a keyed hash of the agent and the code.
create table agent_recovery_codes (
  organization_id uuid not null,
  id bytea not null,
  agent_id text not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_recovery_codes_of_agent on agent_recovery_codes (organization_id, agent_id);
`,
};
