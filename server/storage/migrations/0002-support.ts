import type { Migration } from '../migrate.ts';

/**
 * Customers, visits, chats, routing, tickets, webhooks and the other data of an organization.
 */
export const support: Migration = {
  id: '0002',
  name: 'support',
  up: `
create table customers (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text,
  email text,
  avatar text,
  session_fields jsonb not null default '[]',
  cookie_secret_hash bytea,
  banned_until timestamptz(3),
  created_at timestamptz(3) not null,
  group_id integer,
  email_verified_at timestamptz(3),
  pending_update jsonb,
  user_agent text,
  referrer text,
  visits_count integer not null default 0,
  page_views_count integer not null default 0,
  greetings_shown_count integer not null default 0,
  greetings_accepted_count integer not null default 0,
  -- The id in the integrator's system of a visitor who chats without the widget.
  visitor_id text,
  primary key (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
);
-- For the lists of customers.
create index customers_by_time on customers (organization_id, created_at, id);
create index customers_by_visits on customers (organization_id, visits_count, id);
create index customers_by_email on customers (organization_id, lower(email)) where email is not null;
create index customers_by_name on customers (organization_id, lower(name)) where name is not null;
create unique index customers_visitor on customers (organization_id, visitor_id) where visitor_id is not null;

create table customer_tokens (
  organization_id uuid not null,
  id bytea not null,
  customer_id uuid not null,
  client_id text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create unique index customer_tokens_id on customer_tokens (id);
create index customer_tokens_expiry on customer_tokens (expires_at);
create index customer_tokens_customer on customer_tokens (organization_id, customer_id);

-- event_count and last_event_at belong to the last thread. They are stored here because the append statement locks
-- this row and numbers events from the locked values. Free space per page allows HOT updates.
create table chats (
  organization_id uuid not null,
  id text not null,
  customer_id uuid not null,
  group_ids integer[] not null,
  properties jsonb not null default '{}',
  active boolean not null,
  continuous boolean not null default false,
  anonymized boolean not null default false,
  last_thread_id text not null,
  last_thread_created_at timestamptz(3) not null,
  event_count integer not null default 0,
  last_event_at timestamptz(3),
  last_events jsonb not null default '{}',
  created_at timestamptz(3) not null,
  assignee_id text,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
) with (fillfactor = 70);
create index chats_of_customer on chats (organization_id, customer_id, last_thread_created_at, id);
create index chats_by_last_thread on chats (organization_id, last_thread_created_at, id);
create index chats_active on chats (organization_id, customer_id) where active;
create index chats_assigned on chats (organization_id, assignee_id) where active and assignee_id is not null;
create index chats_anonymized on chats (organization_id, id) where anonymized;

create table threads (
  organization_id uuid not null,
  id text not null,
  chat_id text not null,
  active boolean not null,
  group_ids integer[] not null,
  properties jsonb not null default '{}',
  tags text[] not null default '{}',
  previous_thread_id text,
  next_thread_id text,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  -- The customer's session fields when the thread ended.
  session_fields jsonb,
  primary key (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id)
);
create index threads_of_chat on threads (organization_id, chat_id, created_at, id);
create index threads_by_time on threads (organization_id, created_at, id);
create unique index threads_one_active on threads (organization_id, chat_id) where active;
-- For tag counts.
create index threads_tagged on threads (organization_id, created_at) where tags <> '{}';

create table events (
  organization_id uuid not null,
  thread_id text not null,
  number integer not null,
  chat_id text not null,
  type text not null,
  author_kind text not null check (author_kind in ('customer', 'agent', 'system')),
  author_id text,
  custom_id text,
  visibility text not null check (visibility in ('all', 'agents')),
  content jsonb not null,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null,
  primary key (organization_id, thread_id, number)
);
create unique index events_custom_id on events (organization_id, chat_id, author_id, custom_id) where custom_id is not null;

-- Events whose follow-up is not done yet; see server/domain/support/chats/append/finish-event.ts.
create table event_follow_ups (
  organization_id uuid not null,
  thread_id text not null,
  number integer not null,
  primary key (organization_id, thread_id, number)
);

create table chat_users (
  organization_id uuid not null,
  chat_id text not null,
  kind text not null check (kind in ('customer', 'agent')),
  user_id text not null,
  present boolean not null,
  seen_up_to timestamptz(3),
  joined_at timestamptz(3) not null,
  -- A silent supervisor is visible only to agents.
  visibility text not null default 'all' check (visibility in ('all', 'agents')),
  primary key (organization_id, chat_id, kind, user_id),
  foreign key (organization_id, chat_id) references chats (organization_id, id)
) with (fillfactor = 70);
create index chat_users_agents on chat_users (organization_id, user_id) where kind = 'agent' and present;

-- The agents who worked on a thread; listed and filtered by in the archive.
create table thread_agents (
  organization_id uuid not null,
  thread_id text not null,
  agent_id text not null,
  primary key (organization_id, thread_id, agent_id),
  foreign key (organization_id, thread_id) references threads (organization_id, id)
);
create index thread_agents_agent on thread_agents (organization_id, agent_id, thread_id);

create table files (
  organization_id uuid not null references organizations (id),
  id text not null check (id ~ '^[0-9a-f]{32}$'),
  uploader_kind text not null check (uploader_kind in ('customer', 'agent')),
  uploader_id text not null,
  name text not null,
  content_type text not null,
  size integer,
  width integer,
  height integer,
  download_only boolean not null,
  storage_key text not null,
  thumbnail_key text,
  thumbnail2x_key text,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id)
);
create index files_unused on files (created_at) where used_at is null;

create table bans (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  customer_id uuid,
  ip text,
  until timestamptz(3) not null,
  banned_by text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  check ((customer_id is null) <> (ip is null))
);
create index bans_of_address on bans (organization_id, ip) where ip is not null;
create index bans_of_customer on bans (organization_id, customer_id) where customer_id is not null;

-- One row per email. The id is the keyed hash of the secret in its link.
create table email_links (
  organization_id uuid not null,
  id bytea not null,
  customer_id uuid not null,
  email text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create unique index email_links_id on email_links (id);
create index email_links_of_address on email_links (organization_id, lower(email), created_at);
create index email_links_by_time on email_links (organization_id, created_at);
create index email_links_of_customer on email_links (organization_id, customer_id);

-- Callbacks that wait for the verification of an email address.
create table email_verifications (
  organization_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  email text not null,
  callback_uri text not null,
  number bigint generated always as identity,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
create index email_verifications_of_customer on email_verifications (organization_id, customer_id, number);

-- Visits are updated with every page view. Free space per page and no indexes on these columns allow HOT updates.
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
  -- A visit ends when its customer leaves the site. Open visits are few, and columns that change with every page view are
  -- not indexed.
  ip text,
  ended_at timestamptz(3),
  tracked_until timestamptz(3),
  language text,
  timezone text,
  place jsonb,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  foreign key (organization_id, group_id) references groups (organization_id, id)
) with (fillfactor = 70);
create unique index visits_of_customer on visits (organization_id, customer_id, number);
create index visits_going_on on visits (organization_id, customer_id) where ended_at is null;

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
create index greeting_displays_by_time on greeting_displays (organization_id, displayed_at, group_id, greeting_id) include (accepted_at);
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
  -- A second order in the same visit counts as a second sale.
  order_id text not null default '',
  foreign key (organization_id, visit_id) references visits (organization_id, id),
  foreign key (organization_id, goal_id) references goals (organization_id, id),
  primary key (organization_id, visit_id, goal_id, order_id)
);
create index goal_hits_by_time on goal_hits (organization_id, reached_at, group_id, goal_id);
create index goal_hits_of_thread on goal_hits (organization_id, thread_id) where thread_id is not null;
create unique index goal_hits_of_order on goal_hits (organization_id, customer_id, goal_id, order_id) where order_id <> '';

create table webhooks (
  organization_id uuid not null references organizations (id),
  id text not null,
  action text not null,
  url text not null,
  secret_key_sealed bytea not null,
  owner_client_id text not null,
  type text not null check (type in ('license', 'bot')),
  description text,
  author_type text check (author_type in ('customer', 'agent')),
  additional_data text[] not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz(3) not null,
  -- data_types: the data types that a chat-ops webhook requested; null for other webhooks.
  data_types text[],
  verified boolean not null default false,
  credentials_sealed bytea,
  primary key (organization_id, id)
);
create index webhooks_action on webhooks (organization_id, action);

create table webhook_deliveries (
  organization_id uuid not null,
  id text not null default gen_random_uuid()::text,
  sequence bigint generated always as identity,
  webhook_id text not null,
  chat_id text,
  action text not null,
  event jsonb not null,
  additional_data jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  leased_until timestamptz(3),
  last_status integer,
  last_error text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
) with (fillfactor = 80);
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_order on webhook_deliveries (organization_id, webhook_id, chat_id, sequence) where state = 'pending';
create index webhook_deliveries_log on webhook_deliveries (organization_id, created_at, id);
create index webhook_deliveries_done on webhook_deliveries (organization_id, webhook_id, finished_at) where state <> 'pending';

create table url_previews (
  organization_id uuid not null references organizations (id),
  id text not null,
  url text,
  title text,
  description text,
  image jsonb,
  fetched_at timestamptz(3) not null,
  primary key (organization_id, id)
);

create table chat_followers (
  organization_id uuid not null,
  chat_id text not null,
  agent_id text not null,
  primary key (organization_id, chat_id, agent_id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index chat_followers_agent on chat_followers (organization_id, agent_id);

create table customer_followers (
  organization_id uuid not null,
  customer_id uuid not null,
  agent_id text not null,
  primary key (organization_id, customer_id, agent_id),
  foreign key (organization_id, customer_id) references customers (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

create table queue_entries (
  organization_id uuid not null,
  id bigint generated always as identity,
  chat_id text not null,
  thread_id text not null,
  group_ids integer[] not null,
  priority integer not null,
  entered_at timestamptz(3) not null,
  left_at timestamptz(3),
  outcome text check (outcome in ('assigned', 'left', 'closed')),
  primary key (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  foreign key (organization_id, thread_id) references threads (organization_id, id),
  check ((left_at is null) = (outcome is null))
);
create unique index queue_entries_waiting on queue_entries (organization_id, chat_id) where left_at is null;
create index queue_entries_order on queue_entries (organization_id, priority desc, entered_at, id) where left_at is null;
create index queue_entries_thread on queue_entries (organization_id, thread_id);
create index queue_entries_assigned on queue_entries (organization_id, left_at) where outcome = 'assigned';
create index queue_entries_time on queue_entries (organization_id, entered_at) include (left_at, outcome);

-- Each assignment records the candidates, their load, and the rule that decided.
create table assignments (
  organization_id uuid not null,
  id bigint generated always as identity,
  chat_id text not null,
  thread_id text not null,
  agent_id text not null,
  rule text not null,
  candidates jsonb not null,
  group_ids integer[] not null,
  assigned_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index assignments_of_chat on assignments (organization_id, chat_id, id);
create index assignments_of_agent on assignments (organization_id, agent_id, assigned_at);
-- For reports by time.
create index assignments_ended on assignments (organization_id, ended_at);

-- One row per open agent socket, extended by its process. After a crash it remains valid until alive_until.
create table agent_connections (
  organization_id uuid not null,
  id uuid not null,
  agent_id text not null,
  away boolean not null default false,
  connected_at timestamptz(3) not null,
  alive_until timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_connections_agent on agent_connections (organization_id, agent_id);
create index agent_connections_alive on agent_connections (alive_until);

-- Availability reports cover years, so changes are never deleted.
create table agent_status_changes (
  organization_id uuid not null,
  id bigint generated always as identity,
  agent_id text not null,
  status text not null check (status in ('accepting chats', 'not accepting chats', 'offline')),
  reason text not null,
  changed_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_status_changes_time on agent_status_changes (organization_id, agent_id, changed_at);

-- suppress_email: the ticket contains only automatic email, so no email is sent for it.
create table tickets (
  organization_id uuid not null references organizations (id),
  id text not null,
  subject text not null,
  status text not null check (status in ('open', 'pending', 'solved', 'spam')),
  requester_mail text not null,
  requester_name text not null,
  assignee_id text,
  group_ids integer[] not null,
  tags text[] not null default '{}',
  source_type text not null check (source_type in ('lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window')),
  source_url text,
  source_id text,
  rating text check (rating in ('good', 'bad')),
  rated_at timestamptz(3),
  first_response_at timestamptz(3),
  first_response_by text,
  solved_at timestamptz(3),
  solved_by text,
  suppress_email boolean not null default false,
  merged_into text,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, assignee_id) references agents (organization_id, id),
  foreign key (organization_id, merged_into) references tickets (organization_id, id)
);
create index tickets_by_change on tickets (organization_id, modified_at, id) where merged_into is null;
-- Reports count tickets by index-only scans.
create index tickets_by_creation on tickets (organization_id, created_at) include (source_type, status, merged_into);
create index tickets_by_requester on tickets (organization_id, lower(requester_mail));
create index tickets_by_assignee on tickets (organization_id, assignee_id) where assignee_id is not null;
create index tickets_merged on tickets (organization_id, merged_into) where merged_into is not null;
-- Prevents a second ticket if a form is sent again.
create unique index tickets_of_form on tickets (organization_id, source_id)
  where source_type = 'chat-window' and source_id is not null;
create index tickets_first_response on tickets (organization_id, first_response_at) include (created_at, status, merged_into)
  where first_response_at is not null;
create index tickets_solved on tickets (organization_id, solved_at) include (created_at, status, merged_into)
  where solved_at is not null;
create index tickets_rated on tickets (organization_id, rated_at) include (created_at, rating, status, merged_into)
  where rated_at is not null;
create index tickets_tagged on tickets (organization_id, created_at) where tags <> '{}';

-- former_ticket_ids: the tickets from which it was moved by merges, most recent last.
create table ticket_events (
  organization_id uuid not null,
  id bigint generated always as identity,
  ticket_id text not null,
  type text not null check (type in ('message', 'assignee_changed', 'status_changed', 'group_changed', 'tags_changed',
    'subject_changed', 'rating', 'merged')),
  author_type text not null check (author_type in ('client', 'agent', 'system')),
  author_id text not null,
  author_name text not null,
  is_private boolean not null default false,
  content jsonb not null,
  former_ticket_ids text[] not null default '{}',
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id)
);
create index ticket_events_of_ticket on ticket_events (organization_id, ticket_id, created_at, id);
create index ticket_events_by_time on ticket_events (organization_id, created_at);

-- The Message-IDs of all emails of a ticket, received and sent.
create table ticket_message_ids (
  organization_id uuid not null,
  ticket_id text not null,
  message_id text not null,
  is_ours boolean not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, message_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id)
);
create index ticket_message_ids_of_ticket on ticket_message_ids (organization_id, ticket_id, created_at);

-- The row and the raw email in the file store are written before the sender gets a confirmation.
create table incoming_mails (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  fingerprint bytea not null,
  envelope_from text not null,
  recipients text[] not null,
  size integer not null,
  storage_key text not null,
  received_at timestamptz(3) not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  sender text,
  ticket_id text,
  filed_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id),
  check ((filed_at is null) = (next_attempt_at is not null))
);
create unique index incoming_mails_once on incoming_mails (organization_id, fingerprint);
create index incoming_mails_waiting on incoming_mails (next_attempt_at) where filed_at is null;
create index incoming_mails_of_sender on incoming_mails (organization_id, sender, received_at) where sender is not null;

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

-- from_position: messages before the start of the session are not shown in it.
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

-- One row per sent transcript, used for rate limiting.
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

-- Details about a visitor from the integrator's systems, in named sets.
create table visitor_details (
  organization_id uuid not null,
  customer_id uuid not null,
  id text not null,
  fields jsonb not null,
  icon text,
  updated_at timestamptz(3) not null,
  primary key (organization_id, customer_id, id),
  foreign key (organization_id, customer_id) references customers (organization_id, id)
);
`,
};
