import type { Migration } from '../migrate.ts';

/** Visitors without a socket tell that they are there by beacons; no index follows what these change. */
export const visitors: Migration = {
  id: '0013',
  name: 'visitors',
  up: `
alter table visits
  add column tracked_until timestamptz(3),
  add column language text,
  add column timezone text,
  add column place jsonb;

-- What the account's own programs know about a visitor, by the name of each set.
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
