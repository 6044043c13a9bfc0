import type { Migration } from '../migrate.ts';

/** A row is there before its content is, so that whatever a crash leaves behind can be found and removed. */
export const files: Migration = {
  id: '0002',
  name: 'files',
  up: `
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
  inert boolean not null,
  storage_key text not null,
  thumbnail_key text,
  thumbnail2x_key text,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (organization_id, id)
);
create index files_unused on files (created_at) where used_at is null;
`,
};
