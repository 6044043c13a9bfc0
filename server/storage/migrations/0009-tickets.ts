import type { Migration } from '../migrate.ts';

/** Tickets, what happens to them, and the mails they come from. */
export const tickets: Migration = {
  id: '0009',
  name: 'tickets',
  up: `
-- Where an account's own mail server passes its mail on from; each account has a numbered address beside it.
alter table organizations add column mail_address text check (mail_address = lower(mail_address));
create unique index organizations_mail_address on organizations (mail_address) where mail_address is not null;

-- silent: only machines have written to it, so nobody is mailed because of it.
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
  silent boolean not null default false,
  merged_into text,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, assignee_id) references agents (organization_id, id),
  foreign key (organization_id, merged_into) references tickets (organization_id, id)
);
create index tickets_by_change on tickets (organization_id, modified_at, id) where merged_into is null;
create index tickets_by_creation on tickets (organization_id, created_at);
create index tickets_by_requester on tickets (organization_id, lower(requester_mail));
create index tickets_by_assignee on tickets (organization_id, assignee_id) where assignee_id is not null;
create index tickets_merged on tickets (organization_id, merged_into) where merged_into is not null;
-- A form that is sent again opens no second ticket.
create unique index tickets_of_form on tickets (organization_id, source_id)
  where source_type = 'chat-window' and source_id is not null;

-- former_ticket_ids: through which tickets a merge brought it here, the last one last.
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

-- The Message-IDs of the mails that belong to a ticket, ours and theirs.
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

-- A row is here, and the raw mail in the file store, before the sender is told that we have it.
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
`,
};
