import type { Migration } from '../migrate.ts';

/**
 * Derived tables for reports, searches and totals. Their contents can be recomputed from the other tables.
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

-- The work of each agent in a chat.
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

-- facts: hashes of the values that filters match, different for each organization. words: the searchable words, each starting
-- with the id of its organization. So a search reads no other organization's index entries. day, slot: the position of the
-- entry in the bitmaps of its UTC day.
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

-- Click counts, written together with the clicks.
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

-- Sums of the ledger, written together with the transactions.
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

-- The times in which any agent was accepting chats, computed up to availability_materialized.until.
create table availability_spans (
  organization_id uuid not null references organizations (id),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  primary key (organization_id, started_at)
);

create table availability_materialized (
  organization_id uuid primary key references organizations (id),
  until timestamptz(3) not null
);

-- The maximum number of simultaneously assigned chats per quarter hour of the last weeks, computed up to occupancy_materialized.until.
create table occupancy_quarters (
  organization_id uuid not null references organizations (id),
  at timestamptz(3) not null,
  max_chats integer not null,
  primary key (organization_id, at)
);

create table occupancy_materialized (
  organization_id uuid primary key references organizations (id),
  until timestamptz(3) not null
);

-- Totals over the licenses that a partner referred as an affiliate.
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
`,
};
