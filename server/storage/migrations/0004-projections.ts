import type { Migration } from '../migrate.ts';

/**
 * Derived tables: what reports, searches and totals read. Their contents can be recomputed from the other tables.
 */
export const projections: Migration = {
  id: '0004',
  name: 'projections',
  up: `
-- Keys whose derived rows have to be recomputed; see server/projections. owner_id: an organization or a partner.
create table projection_queue (
  owner_id text not null,
  projection text not null,
  id bigint generated always as identity,
  key text not null,
  primary key (owner_id, projection, id)
);

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
  grain text not null check (grain in ('q', 'h', 'f', 'd')),
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
  day date not null,
  slot integer not null,
  primary key (organization_id, thread_id),
  foreign key (organization_id, thread_id) references threads (organization_id, id)
);
create index archive_entries_facts on archive_entries using gin (facts) with (fastupdate = off);
create index archive_entries_words on archive_entries using gin (words) with (fastupdate = off);
create index archive_entries_by_time on archive_entries (organization_id, started_at, thread_id);
create unique index archive_entries_slot on archive_entries (organization_id, day, slot);

-- Written with the clicks, so that counting them does not read them.
create table click_days (
  partner_id bigint not null,
  day date not null,
  campaign_id bigint not null,
  utm_medium text not null,
  utm_content text not null,
  utm_term text not null,
  clicks bigint not null,
  primary key (partner_id, day, campaign_id, utm_medium, utm_content, utm_term),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);

-- Sums over the book, written by the insert that they follow.
create table ledger_days (
  partner_id bigint not null,
  day date not null,
  account text not null,
  program text not null,
  product text not null,
  license_product text not null,
  campaign_id bigint not null default 0,
  amount_cents bigint not null,
  primary key (partner_id, account, day, program, product, license_product, campaign_id)
);

create table ledger_licenses (
  partner_id bigint not null,
  organization_id uuid not null,
  account text not null,
  amount_cents bigint not null,
  primary key (partner_id, organization_id, account)
);

-- Each word starts with the id of its organization, so that a search reads no other organization's index entries.
create table ticket_search (
  organization_id uuid not null,
  ticket_id text not null,
  words tsvector not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id)
);
create index ticket_search_words on ticket_search using gin (words) with (fastupdate = off);

create table click_months (
  partner_id bigint not null,
  month date not null,
  campaign_id bigint not null,
  utm_medium text not null,
  utm_content text not null,
  utm_term text not null,
  clicks bigint not null,
  primary key (partner_id, month, campaign_id, utm_medium, utm_content, utm_term),
  foreign key (partner_id, campaign_id) references campaigns (partner_id, id)
);

create table ledger_totals (
  partner_id bigint not null,
  account text not null,
  program text not null,
  product text not null,
  amount_cents bigint not null,
  primary key (partner_id, account, program, product)
);

create table archive_bits (
  organization_id uuid not null references organizations (id),
  fact bigint not null,
  day date not null,
  part integer not null,
  bits bit(1024) not null,
  primary key (organization_id, fact, day, part)
) with (fillfactor = 70);

-- What else reports count, by when it happened. kind: told apart within a measure.
create table tallies (
  organization_id uuid not null references organizations (id),
  measure text not null,
  grain text not null check (grain in ('q', 'h', 'f', 'd')),
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

-- The most chats that people answered at once in a quarter of an hour, in the last weeks, before that time of the organization.
create table occupancy_quarters (
  organization_id uuid not null references organizations (id),
  at timestamptz(3) not null,
  most integer not null,
  primary key (organization_id, at)
);

create table occupancy_settled (
  organization_id uuid primary key references organizations (id),
  until timestamptz(3) not null
);

-- Of the licenses that a partner brought as an affiliate, whenever they began. Kept by the triggers below.
create table performance_totals (
  partner_id bigint not null,
  product text not null,
  campaign_id bigint not null,
  utm_campaign text not null,
  utm_medium text not null,
  utm_content text not null,
  utm_term text not null,
  trials bigint not null,
  qualified bigint not null,
  installed bigint not null,
  tenth_chat bigint not null,
  paid bigint not null,
  earned_cents bigint not null,
  primary key (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term)
) with (fillfactor = 80);

create function mark_thread() returns trigger language plpgsql as $$
begin
  insert into report_marks (organization_id, thread_id) values (new.organization_id, new.id);
  return null;
end $$;

create trigger threads_ended after insert on threads for each row when (not new.active) execute function mark_thread();

create trigger threads_changed after update on threads for each row
  when (not new.active and (old.active or old.tags <> new.tags or old.group_ids <> new.group_ids or old.properties <> new.properties))
  execute function mark_thread();

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

create function follow_license() returns trigger language plpgsql as $$
begin
  update referred_licenses r
  set status = new.status, ends_at = case when new.status = 'trial' then new.trial_ends_at else coalesce(new.paid_until, new.trial_ends_at) end
  where r.organization_id = new.id;
  return null;
end $$;

create trigger follow_license after update of status, trial_ends_at, paid_until on organizations
  for each row execute function follow_license();

create function sum_ledger() returns trigger language plpgsql as $$
begin
  insert into ledger_days (partner_id, day, account, program, product, license_product, campaign_id, amount_cents)
  select e.partner_id, (t.occurred_at at time zone 'UTC')::date, e.account, t.program, t.product, t.license_product, coalesce(t.campaign_id, 0), sum(e.amount_cents)
  from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 3, 2, 4, 5, 6, 7
  on conflict (partner_id, account, day, program, product, license_product, campaign_id)
  do update set amount_cents = ledger_days.amount_cents + excluded.amount_cents;
  insert into ledger_licenses (partner_id, organization_id, account, amount_cents)
  select e.partner_id, t.organization_id, e.account, sum(e.amount_cents)
  from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  where t.organization_id is not null
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (partner_id, organization_id, account)
  do update set amount_cents = ledger_licenses.amount_cents + excluded.amount_cents;
  return null;
end $$;

create trigger sum_ledger after insert on ledger_entries
  referencing new table as written for each statement execute function sum_ledger();

create function total_ledger() returns trigger language plpgsql as $$
begin
  insert into ledger_totals (partner_id, account, program, product, amount_cents)
  select e.partner_id, e.account, t.program, t.product, sum(e.amount_cents)
  from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (partner_id, account, program, product)
  do update set amount_cents = ledger_totals.amount_cents + excluded.amount_cents;
  return null;
end $$;

create trigger total_ledger after insert on ledger_entries
  referencing new table as written for each statement execute function total_ledger();

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

-- sign: 1 adds the licenses with what they earned, -1 takes them away. Always in the same order, so that nobody waits in a ring.
create function add_performance(sign int, licenses referred_licenses[]) returns void language sql as $$
  insert into performance_totals as t
  select l.partner_id, l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term,
    sign * count(*), sign * count(l.qualified_at), sign * count(l.installed_at), sign * count(l.tenth_chat_at), sign * count(l.converted_at),
    sign * coalesce(-sum(s.amount_cents), 0)
  from unnest(licenses) l
  left join ledger_licenses s on s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'commission'
  where l.program = 'affiliate'
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term) do update set
    trials = t.trials + excluded.trials, qualified = t.qualified + excluded.qualified, installed = t.installed + excluded.installed,
    tenth_chat = t.tenth_chat + excluded.tenth_chat, paid = t.paid + excluded.paid, earned_cents = t.earned_cents + excluded.earned_cents
$$;

create function add_licenses() returns trigger language plpgsql as $$
begin
  perform add_performance(1, array(select row(a.*)::referred_licenses from added a));
  return null;
end $$;

create trigger licenses_added after insert on referred_licenses
  referencing new table as added for each statement execute function add_licenses();

create function remove_licenses() returns trigger language plpgsql as $$
begin
  perform add_performance(-1, array(select row(r.*)::referred_licenses from removed r));
  return null;
end $$;

create trigger licenses_removed after delete on referred_licenses
  referencing old table as removed for each statement execute function remove_licenses();

-- Only those that count elsewhere or as something else since.
create function move_licenses() returns trigger language plpgsql as $$
declare
  moved uuid[] := array(
    select coalesce(b.organization_id, a.organization_id) from before b full join after a on a.organization_id = b.organization_id
    where (b.partner_id, b.program, b.product, b.campaign_id, b.utm_campaign, b.utm_medium, b.utm_content, b.utm_term,
        b.qualified_at is null, b.installed_at is null, b.tenth_chat_at is null, b.converted_at is null)
      is distinct from (a.partner_id, a.program, a.product, a.campaign_id, a.utm_campaign, a.utm_medium, a.utm_content, a.utm_term,
        a.qualified_at is null, a.installed_at is null, a.tenth_chat_at is null, a.converted_at is null));
begin
  if cardinality(moved) > 0 then
    perform add_performance(-1, array(select row(b.*)::referred_licenses from before b where b.organization_id = any(moved)));
    perform add_performance(1, array(select row(a.*)::referred_licenses from after a where a.organization_id = any(moved)));
  end if;
  return null;
end $$;

create trigger licenses_moved after update on referred_licenses
  referencing old table as before new table as after for each statement execute function move_licenses();

-- The licenses are held first, as by whoever changes them.
create function add_earned() returns trigger language plpgsql as $$
begin
  with earned as materialized (
    select e.partner_id, t.organization_id, -sum(e.amount_cents) as cents
    from written e join ledger_transactions t on t.partner_id = e.partner_id and t.id = e.transaction_id
    where e.account = 'commission' and t.organization_id is not null group by 1, 2
  ), held as materialized (
    select l.*, d.cents from earned d
    join referred_licenses l on l.partner_id = d.partner_id and l.organization_id = d.organization_id
    where l.program = 'affiliate' order by l.partner_id, l.organization_id for no key update of l
  )
  insert into performance_totals as t
  select l.partner_id, l.product, coalesce(l.campaign_id, 0), l.utm_campaign, l.utm_medium, l.utm_content, l.utm_term, 0, 0, 0, 0, 0, sum(l.cents)
  from held l group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (partner_id, product, campaign_id, utm_campaign, utm_medium, utm_content, utm_term)
  do update set earned_cents = t.earned_cents + excluded.earned_cents;
  return null;
end $$;

create trigger add_earned after insert on ledger_entries
  referencing new table as written for each statement execute function add_earned();
`,
};
