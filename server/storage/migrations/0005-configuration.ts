import type { Migration } from '../migrate.ts';

/** What a group has not set has a default in the program; phrases are kept by language. */
export const configuration: Migration = {
  id: '0005',
  name: 'configuration',
  up: `
alter table groups
  add column appearance jsonb not null default '{}',
  add column buttons jsonb,
  add column phrases jsonb not null default '{}',
  add column forms jsonb not null default '{}';

create index agents_accepting on agents (organization_id, id) where status = 'accepting chats' and deleted_at is null;
`,
};
