import type { Migration } from '../migrate.ts';

/** Where clicks come faster than they can be counted, they are put down as they are, many in a row, and counted later. */
export const keptClicks: Migration = {
  id: '0028',
  name: 'kept-clicks',
  up: `
create table kept_clicks (
  id uuid primary key,
  kept_at timestamptz(3) not null,
  clicks text not null
);
alter table kept_clicks alter column clicks set storage external;
`,
};
