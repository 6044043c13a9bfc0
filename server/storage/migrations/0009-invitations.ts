import type { Migration } from '../migrate.ts';

/** Invitations with which the operator allows someone to sign up. */
export const invitations: Migration = {
  id: '0009',
  name: 'invitations',
  up: `
-- code_hash: the keyed hash of the code in the link. email: the only address that may use it; null means any.
create table invitations (
  id bigint generated always as identity primary key,
  code_hash bytea not null unique,
  kind text not null check (kind in ('organization', 'partner')),
  email text check (email = lower(email)),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
`,
};
