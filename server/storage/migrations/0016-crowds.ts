import type { Migration } from '../migrate.ts';

/** Many visitors at once. */
export const crowds: Migration = {
  id: '0016',
  name: 'crowds',
  up: `
-- Whoever asks for the visit of one customer finds it here too: an index of all of an organization's visits is, to a database
-- that thinks them few, as good as any other.
drop index visits_going_on;
create index visits_going_on on visits (organization_id, customer_id) where ended_at is null;
-- Nothing reads visits by time.
drop index visits_by_time;
`,
};
