import type { Migration } from '../migrate.ts';

/**
 * What an account's back office keeps: letters to agents, canned responses, tags, and webhooks of the older kind. A group
 * that is deleted stays as a row for the sake of visits and archives, and its number is not given again.
 */
export const operations: Migration = {
  id: '0011',
  name: 'operations',
  up: `
alter table groups add column deleted_at timestamptz(3);

-- One per mail to an agent. The id of an activation is the keyed hash of the secret in its link.
create table agent_letters (
  organization_id uuid not null,
  id bytea not null,
  agent_id text not null,
  kind text not null check (kind in ('activation', 'farewell')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create unique index agent_letters_id on agent_letters (id);
create index agent_letters_by_time on agent_letters (organization_id, created_at);

create table canned_responses (
  organization_id uuid not null,
  id integer not null,
  group_id integer not null,
  text text not null,
  tags text[] not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  modified_by text,
  modified_at timestamptz(3),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
);
create index canned_responses_of_group on canned_responses (organization_id, group_id, id) where deleted_at is null;

create table tags (
  organization_id uuid not null,
  group_id integer not null,
  name text not null,
  author_id text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, group_id, name),
  foreign key (organization_id, group_id) references groups (organization_id, id),
  foreign key (organization_id, author_id) references agents (organization_id, id)
);

-- Tags are counted where there are any.
create index threads_tagged on threads (organization_id, created_at) where tags <> '{}';
create index tickets_tagged on tickets (organization_id, created_at) where tags <> '{}';

-- A second order in one visit is a second sale.
alter table goal_hits add column order_id text not null default '';
alter table goal_hits drop constraint goal_hits_pkey;
alter table goal_hits add primary key (organization_id, visit_id, goal_id, order_id);

-- data_types: which parts a receiver of the older kind asked for; absent for the others.
alter table webhooks
  add column data_types text[],
  add column verified boolean not null default false,
  add column credentials_sealed bytea;
`,
};
