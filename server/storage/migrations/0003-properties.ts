import type { Migration } from '../migrate.ts';

export const properties: Migration = {
  id: '0003',
  name: 'properties',
  up: `
create table property_definitions (
  organization_id uuid not null references organizations (id),
  namespace text not null,
  name text not null,
  type text not null check (type in ('string', 'int', 'bool', 'any')),
  access jsonb not null,
  domain jsonb,
  range jsonb,
  max_length integer,
  created_at timestamptz(3) not null,
  primary key (organization_id, namespace, name)
);

alter table organizations add column properties jsonb not null default '{}';
alter table groups add column properties jsonb not null default '{}';
`,
};
