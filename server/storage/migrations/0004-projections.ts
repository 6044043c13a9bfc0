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

-- dimension: empty for all chats, else g and a group, a and a login, t and a tag. resolution: q a quarter hour, h an hour,
-- f four hours, d a UTC day.
create table chat_rollups (
  organization_id uuid not null references organizations (id),
  dimension text not null,
  resolution text not null check (resolution in ('q', 'h', 'f', 'd')),
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
  primary key (organization_id, dimension, resolution, at)
) with (fillfactor = 90);

-- facts: what filters ask for, each a number that no other organization has. words: what is searched for, each starting
-- with the id of its organization. So a search reads no other organization's index entries. day, slot: where the entry is in
-- the bitmaps of its UTC day.
create table archive_entries (
  organization_id uuid not null,
  thread_id text not null,
  started_at timestamptz(3) not null,
  facts bigint[] not null,
  words tsvector not null,
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

create table archive_bitmaps (
  organization_id uuid not null references organizations (id),
  fact bigint not null,
  day date not null,
  part integer not null,
  bitmap bit(1024) not null,
  primary key (organization_id, fact, day, part)
) with (fillfactor = 70);

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
