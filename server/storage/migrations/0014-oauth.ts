import type { Migration } from '../migrate.ts';

/** Programs that agents let in. Codes and tokens are kept as keyed hashes only. */
export const oauth: Migration = {
  id: '0014',
  name: 'oauth',
  up: `
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

-- A family is all that came of one consent: a refresh token that is used twice ends it.
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
  primary key (organization_id, id),
  unique (id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_sessions_of_agent on agent_sessions (organization_id, agent_id);
create index agent_sessions_end on agent_sessions (expires_at);
create index agents_by_login on agents (id) where deleted_at is null;
`,
};
