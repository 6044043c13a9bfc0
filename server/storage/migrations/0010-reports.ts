import type { Migration } from '../migrate.ts';

/**
 * What reports count. A thread that has ended is one fact, and facts are summed by quarter hours and days of UTC: every
 * time zone's hours begin on a quarter. Marks say which threads have to be counted anew; a mark is added with each change
 * and never shared, so that none is taken away by whoever read the thread before.
 */
export const reports: Migration = {
  id: '0010',
  name: 'reports',
  up: `
create table report_marks (
  organization_id uuid not null,
  id bigint generated always as identity,
  thread_id text not null,
  primary key (organization_id, id)
);

create table chat_facts (
  organization_id uuid not null,
  thread_id text not null,
  started_at timestamptz(3) not null,
  group_ids integer[] not null,
  tags text[] not null,
  engagement text not null check (engagement in ('auto_invite', 'manual_invite', 'immediate_start')),
  rating text check (rating in ('good', 'bad')),
  replied boolean not null,
  first_response_ms bigint,
  responses integer not null,
  response_ms bigint not null,
  chatting_ms bigint not null,
  greeting_display_id text,
  primary key (organization_id, thread_id),
  foreign key (organization_id, thread_id) references threads (organization_id, id)
);
create index chat_facts_by_time on chat_facts (organization_id, started_at);
create index chat_facts_rated on chat_facts (organization_id, started_at) where rating is not null;
create index chat_facts_not_replied on chat_facts (organization_id, started_at) where not replied;
create index chat_facts_of_greeting on chat_facts (organization_id, greeting_display_id) where greeting_display_id is not null;

-- What each agent did in it.
create table chat_agent_facts (
  organization_id uuid not null,
  thread_id text not null,
  agent_id text not null,
  started_at timestamptz(3) not null,
  first_response_ms bigint,
  responses integer not null,
  response_ms bigint not null,
  chatting_ms bigint not null,
  primary key (organization_id, thread_id, agent_id),
  foreign key (organization_id, thread_id) references chat_facts (organization_id, thread_id) on delete cascade
);
create index chat_agent_facts_by_time on chat_agent_facts (organization_id, agent_id, started_at);

-- dimension: empty for all chats, else g and a group, a and a login, t and a tag. grain: q a quarter hour, d a day.
create table chat_rollups (
  organization_id uuid not null references organizations (id),
  dimension text not null,
  grain text not null check (grain in ('q', 'd')),
  at timestamptz(3) not null,
  chats integer not null,
  auto_invites integer not null,
  manual_invites integer not null,
  good integer not null,
  bad integer not null,
  not_replied integer not null,
  first_responses integer not null,
  first_response_ms bigint not null,
  responses integer not null,
  response_ms bigint not null,
  chatting_ms bigint not null,
  primary key (organization_id, dimension, grain, at)
) with (fillfactor = 90);

create function mark_thread() returns trigger language plpgsql as $$
begin
  insert into report_marks (organization_id, thread_id) values (new.organization_id, new.id);
  return null;
end $$;
create trigger threads_ended after insert on threads for each row when (not new.active) execute function mark_thread();
create trigger threads_changed after update on threads for each row
  when (not new.active and (old.active or old.tags <> new.tags or old.group_ids <> new.group_ids or old.properties <> new.properties))
  execute function mark_thread();

insert into report_marks (organization_id, thread_id)
select organization_id, id from threads where not active order by organization_id, created_at;

-- Reports also read these by their time.
create index assignments_ended on assignments (organization_id, ended_at);
create index tickets_first_response on tickets (organization_id, first_response_at) where first_response_at is not null;
create index tickets_solved on tickets (organization_id, solved_at) where solved_at is not null;
create index tickets_rated on tickets (organization_id, rated_at) where rated_at is not null;
`,
};
