import type { Migration } from '../migrate.ts';

/** Tries to sign in, counted for all processes together. A crash forgets them, which harms nobody. */
export const signIns: Migration = {
  id: '0020',
  name: 'sign-ins',
  up: `
-- id: a keyed hash of the login or the address. forgotten_at: when nothing of what was tried counts any more. refused: the
-- last try was.
create unlogged table sign_in_tries (
  id bytea primary key,
  forgotten_at timestamptz(3) not null,
  refused boolean not null default false
);
`,
};
