import type { Migration } from '../migrate.ts';

/**
 * What the archive is searched by. A thread that has ended has one entry; marks say which entries have to be written anew,
 * and each change adds one, so that none is taken away by whoever read the thread before.
 */
export const archives: Migration = {
  id: '0012',
  name: 'archives',
  up: `
create table archive_marks (
  organization_id uuid not null,
  id bigint generated always as identity,
  thread_id text not null,
  primary key (organization_id, id)
);

-- facts: what filters ask for, each a number that no other organization has. words: what is searched for, each beginning
-- with its organization. So a list of either index is as long as one organization needs it. session_fields: as they were
-- when the thread had ended.
create table archive_entries (
  organization_id uuid not null,
  thread_id text not null,
  chat_id text not null,
  started_at timestamptz(3) not null,
  facts bigint[] not null,
  words tsvector not null,
  session_fields jsonb not null,
  primary key (organization_id, thread_id),
  foreign key (organization_id, thread_id) references threads (organization_id, id)
);
-- Also answers how many there are, without a look at the rows.
create index archive_entries_by_time on archive_entries (organization_id, started_at, thread_id) include (chat_id, facts);
create index archive_entries_facts on archive_entries using gin (facts) with (fastupdate = off);
create index archive_entries_words on archive_entries using gin (words) with (fastupdate = off);
create index chats_anonymized on chats (organization_id, id) where anonymized;

create function mark_archive() returns trigger language plpgsql as $$
begin
  insert into archive_marks (organization_id, thread_id) values (new.organization_id, new.id);
  return null;
end $$;
create trigger threads_archived after insert on threads for each row when (not new.active) execute function mark_archive();
create trigger threads_archive_changed after update on threads for each row
  when (not new.active and (old.active or old.tags <> new.tags or old.group_ids <> new.group_ids or old.properties <> new.properties))
  execute function mark_archive();

-- A sale may become known long after the chat.
create function mark_archive_of_goal() returns trigger language plpgsql as $$
begin
  insert into archive_marks (organization_id, thread_id) values (new.organization_id, new.thread_id);
  return null;
end $$;
create trigger goals_reached after insert or update on goal_hits for each row when (new.thread_id is not null)
  execute function mark_archive_of_goal();

create function mark_archive_of_customer() returns trigger language plpgsql as $$
begin
  insert into archive_marks (organization_id, thread_id)
  select t.organization_id, t.id from chats c
  join threads t on t.organization_id = c.organization_id and t.chat_id = c.id and not t.active
  where c.organization_id = new.organization_id and c.customer_id = new.id;
  return null;
end $$;
create trigger customers_named after update of name, email on customers for each row
  when (old.name is distinct from new.name or old.email is distinct from new.email)
  execute function mark_archive_of_customer();

insert into archive_marks (organization_id, thread_id)
select organization_id, id from threads where not active order by organization_id, created_at;

-- Who chats without a widget is known by the id that its own program chose.
alter table customers add column visitor_id text;
create unique index customers_visitor on customers (organization_id, visitor_id) where visitor_id is not null;

-- from_position: what was said before the session began is not for whoever began it.
create table visitor_sessions (
  organization_id uuid not null,
  id bytea not null,
  customer_id uuid not null,
  chat_id text not null,
  from_position integer not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id)
);
create index visitor_sessions_expiry on visitor_sessions (expires_at);

-- One per transcript that was mailed; only this tells how many more there may be.
create table transcript_mails (
  organization_id uuid not null,
  id bigint generated always as identity,
  thread_id text not null,
  recipient text not null check (recipient = lower(recipient)),
  sent_by text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, thread_id) references threads (organization_id, id)
);
create index transcript_mails_of_recipient on transcript_mails (organization_id, recipient, created_at);
create index transcript_mails_by_time on transcript_mails (organization_id, created_at);
`,
};
