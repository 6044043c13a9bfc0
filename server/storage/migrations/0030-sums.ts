import type { Migration } from '../migrate.ts';

/** What makes lists and reports over many years as fast as over a few days. */
export const sums: Migration = {
  id: '0030',
  name: 'sums',
  up: `
-- Each entry has a number of its own among those of its day of UTC. bits: for each fact and day, which of these have it; the
-- fact 0 is that of being there. Many days are counted, and put together with other facts, without a look at the entries.
drop index archive_entries_by_time;
truncate archive_entries;
alter table archive_entries add column day date not null, add column slot integer not null;
create index archive_entries_by_time on archive_entries (organization_id, started_at, thread_id);
create unique index archive_entries_slot on archive_entries (organization_id, day, slot);
create table archive_bits (
  organization_id uuid not null references organizations (id),
  fact bigint not null,
  day date not null,
  part integer not null,
  bits bit(1024) not null,
  primary key (organization_id, fact, day, part)
) with (fillfactor = 70);

-- Whoever removes an entry takes its bits away.
create function clear_archive_bits() returns trigger language plpgsql as $$
begin
  update archive_bits b set bits = b.bits & ~ c.bits
  from (
    select e.organization_id, f.fact, e.day, e.slot / 1024 as part, bit_or(set_bit(B'0'::bit(1024), e.slot % 1024, 1)) as bits
    from removed e cross join unnest(e.facts || 0::bigint) f(fact)
    group by 1, 2, 3, 4
  ) c
  where b.organization_id = c.organization_id and b.fact = c.fact and b.day = c.day and b.part = c.part;
  return null;
end $$;
create trigger archive_entries_removed after delete on archive_entries referencing old table as removed
  for each statement execute function clear_archive_bits();

-- An entry that is being written while its chat is anonymized is removed again.
create function mark_archive_of_chat() returns trigger language plpgsql as $$
begin
  insert into archive_marks (organization_id, thread_id)
  select t.organization_id, t.id from threads t
  where t.organization_id = new.organization_id and t.chat_id = new.id and not t.active;
  return null;
end $$;
create trigger chats_anonymized after update of anonymized on chats for each row
  when (old.anonymized <> new.anonymized) execute function mark_archive_of_chat();

insert into archive_marks (organization_id, thread_id)
select organization_id, id from threads where not active order by organization_id, created_at;

-- grain: also h, an hour.
alter table chat_rollups drop constraint chat_rollups_grain_check;
alter table chat_rollups add check (grain in ('q', 'h', 'd'));
insert into chat_rollups
select organization_id, dimension, 'h', date_bin('1 hour', at, '2000-01-01Z'), sum(chats), sum(auto_invites), sum(manual_invites),
  sum(good), sum(bad), sum(not_replied), sum(first_responses), sum(first_response_ms), sum(responses), sum(response_ms), sum(chatting_ms)
from chat_rollups where grain = 'q' group by organization_id, dimension, date_bin('1 hour', at, '2000-01-01Z');

-- What else reports count, by when it happened. kind: told apart within a measure.
create table tallies (
  organization_id uuid not null references organizations (id),
  measure text not null,
  grain text not null check (grain in ('q', 'h', 'd')),
  at timestamptz(3) not null,
  kind text not null,
  count integer not null,
  sum numeric not null,
  lowest numeric not null,
  highest numeric not null,
  primary key (organization_id, measure, grain, at, kind)
);

-- The quarters of an hour that have to be counted anew. Each change adds one, so that none is taken away by whoever counted before.
create table tally_marks (
  organization_id uuid not null,
  id bigint generated always as identity,
  measure text not null,
  at timestamptz(3) not null,
  primary key (organization_id, id)
);
create function mark_tally(organization uuid, measured text, happened timestamptz) returns void language sql as $$
  insert into tally_marks (organization_id, measure, at)
  select organization, measured, date_bin('15 minutes', happened, '2000-01-01Z') where happened is not null
$$;

create function tally_queue() returns trigger language plpgsql as $$
begin
  perform mark_tally(new.organization_id, 'queue', new.entered_at);
  return null;
end $$;
create trigger queue_stays_tallied after insert or update on queue_stays for each row
  when (new.left_at is not null) execute function tally_queue();

create function tally_goal() returns trigger language plpgsql as $$
declare
  hit goal_hits := coalesce(new, old);
begin
  if tg_op = 'UPDATE' then
    perform mark_tally(old.organization_id, 'goals', old.reached_at);
  end if;
  perform mark_tally(hit.organization_id, 'goals', hit.reached_at);
  perform mark_tally(d.organization_id, 'greeting_goals', d.displayed_at) from greeting_displays d
  where d.organization_id = hit.organization_id and d.visit_id = hit.visit_id and d.accepted_at is not null;
  return null;
end $$;
create trigger goal_hits_tallied after insert or update or delete on goal_hits for each row execute function tally_goal();

-- A greeting that was accepted may take over the goals of one before it.
create function tally_greeting() returns trigger language plpgsql as $$
begin
  perform mark_tally(new.organization_id, 'greetings', new.displayed_at);
  if new.accepted_at is not null then
    perform mark_tally(d.organization_id, 'greeting_goals', d.displayed_at) from greeting_displays d
    where d.organization_id = new.organization_id and d.visit_id = new.visit_id and d.accepted_at is not null;
  end if;
  return null;
end $$;
create trigger greetings_tallied after insert on greeting_displays for each row execute function tally_greeting();
create trigger greetings_tallied_again after update on greeting_displays for each row
  when (old.accepted_at is distinct from new.accepted_at) execute function tally_greeting();

create function tally_ticket() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform mark_tally(old.organization_id, m.measure, m.at) from (values ('tickets_created', old.created_at),
      ('tickets_answered', old.first_response_at), ('tickets_solved', old.solved_at), ('tickets_rated', old.rated_at)) m(measure, at);
  end if;
  perform mark_tally(new.organization_id, m.measure, m.at) from (values ('tickets_created', new.created_at),
    ('tickets_answered', new.first_response_at), ('tickets_solved', new.solved_at), ('tickets_rated', new.rated_at)) m(measure, at);
  return null;
end $$;
create trigger tickets_tallied after insert on tickets for each row execute function tally_ticket();
create trigger tickets_tallied_again after update on tickets for each row
  when ((old.status, old.merged_into, old.source_type, old.rating, old.rated_at, old.first_response_at, old.solved_at)
    is distinct from (new.status, new.merged_into, new.source_type, new.rating, new.rated_at, new.first_response_at, new.solved_at))
  execute function tally_ticket();

insert into tally_marks (organization_id, measure, at)
select distinct m.organization_id, m.measure, date_bin('15 minutes', m.at, '2000-01-01Z') from (
  select organization_id, 'queue' as measure, entered_at as at from queue_stays where left_at is not null
  union all select organization_id, 'goals', reached_at from goal_hits
  union all select organization_id, 'greetings', displayed_at from greeting_displays
  union all select organization_id, 'greeting_goals', displayed_at from greeting_displays where accepted_at is not null
  union all select organization_id, 'tickets_created', created_at from tickets
  union all select organization_id, 'tickets_answered', first_response_at from tickets where first_response_at is not null
  union all select organization_id, 'tickets_solved', solved_at from tickets where solved_at is not null
  union all select organization_id, 'tickets_rated', rated_at from tickets where rated_at is not null
) m;

-- When anybody took chats, as far back as nothing changes any more: before that time of the organization.
create table availability_spans (
  organization_id uuid not null references organizations (id),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  primary key (organization_id, started_at)
);
create table availability_settled (
  organization_id uuid primary key references organizations (id),
  until timestamptz(3) not null
);
`,
};
