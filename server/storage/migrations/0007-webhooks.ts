import type { Migration } from '../migrate.ts';

/**
 * The outbox of webhooks: a row stands for one message to one receiver, written with whatever caused it. It keeps what
 * happened; the body is made from it when it is sent. `sequence` is the order within a chat.
 */
export const webhooks: Migration = {
  id: '0007',
  name: 'webhooks',
  up: `
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
`,
};
