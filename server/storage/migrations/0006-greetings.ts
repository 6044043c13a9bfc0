import type { Migration } from '../migrate.ts';

/**
 * What customers look at, what they are greeted with and what they reach. Displays and hits carry their group and time, so
 * that a report reads them alone. Greetings and goals that are deleted stay for the sake of what they counted.
 */
export const greetings: Migration = {
  id: '0006',
  name: 'greetings',
  up: `
-- Pages leave room: a visit is touched with every page, and no index follows what changes.
create table visits (
  organization_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  number integer not null,
  group_id integer not null,
  started_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  online_until timestamptz(3),
  referrer text,
  user_agent text,
  page_count integer not null default 0,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
) with (fillfactor = 70);
create unique index visits_of_customer on visits (organization_id, customer_id, number);
create index visits_by_time on visits (organization_id, started_at);

create table visit_pages (
  organization_id uuid not null,
  visit_id uuid not null,
  number integer not null,
  url text not null,
  title text,
  opened_at timestamptz(3) not null,
  primary key (organization_id, visit_id, number),
  foreign key (organization_id, visit_id) references visits (organization_id, id)
);

create table greetings (
  organization_id uuid not null,
  id integer not null,
  group_id integer not null,
  name text not null,
  active boolean not null default true,
  rules jsonb not null,
  message text not null default '',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
);
create index greetings_active on greetings (organization_id, group_id, id) where active and deleted_at is null;

create table greeting_displays (
  organization_id uuid not null,
  id text not null,
  greeting_id integer not null,
  visit_id uuid not null,
  customer_id uuid not null,
  group_id integer not null,
  agent_id text not null,
  message text not null,
  displayed_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  canceled_at timestamptz(3),
  chatted_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, greeting_id) references greetings (organization_id, id),
  foreign key (organization_id, visit_id) references visits (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create unique index greeting_displays_once on greeting_displays (organization_id, visit_id, greeting_id);
create unique index greeting_displays_open on greeting_displays (organization_id, visit_id)
  where accepted_at is null and canceled_at is null;
create index greeting_displays_by_time on greeting_displays (organization_id, displayed_at, group_id, greeting_id);
create index greeting_displays_accepted on greeting_displays (organization_id, accepted_at, group_id, greeting_id)
  where accepted_at is not null;

create table goals (
  organization_id uuid not null references organizations (id),
  id integer not null,
  name text not null,
  active boolean not null default true,
  type text not null check (type in ('url', 'custom_variable', 'api', 'sales_tracker')),
  fields jsonb not null default '{}',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);

create table goal_hits (
  organization_id uuid not null,
  visit_id uuid not null,
  goal_id integer not null,
  customer_id uuid not null,
  group_id integer not null,
  thread_id text,
  sale jsonb,
  reached_at timestamptz(3) not null,
  primary key (organization_id, visit_id, goal_id),
  foreign key (organization_id, visit_id) references visits (organization_id, id),
  foreign key (organization_id, goal_id) references goals (organization_id, id)
);
create index goal_hits_by_time on goal_hits (organization_id, reached_at, group_id, goal_id);
create index goal_hits_of_thread on goal_hits (organization_id, thread_id) where thread_id is not null;
`,
};
