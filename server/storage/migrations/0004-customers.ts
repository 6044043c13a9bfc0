import type { Migration } from '../migrate.ts';

/**
 * `pending` is what a customer changed while a chat was active; it takes effect when the last one ends. A customer with a
 * group is an identity for that group alone.
 */
export const customers: Migration = {
  id: '0004',
  name: 'customers',
  up: `
alter table organizations add column product_version integer not null default 1;

alter table customers
  add column group_id integer,
  add column email_verified_at timestamptz(3),
  add column pending jsonb,
  add column user_agent text,
  add column referrer text,
  add column visits_count integer not null default 0,
  add column page_views_count integer not null default 0,
  add column greetings_shown_count integer not null default 0,
  add column greetings_accepted_count integer not null default 0,
  add foreign key (organization_id, group_id) references groups (organization_id, id);

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

-- One per mail that was sent; the id is the keyed hash of the secret in its link.
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

-- Who wants to hear about a confirmation that has not come yet.
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
`,
};
