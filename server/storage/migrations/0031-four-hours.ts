import type { Migration } from '../migrate.ts';

/** What makes a month of any time zone cost the same, however much happened in it. */
export const fourHours: Migration = {
  id: '0031',
  name: 'four hours',
  up: `
-- grain: also f, four hours.
alter table chat_rollups drop constraint chat_rollups_grain_check;
alter table chat_rollups add check (grain in ('q', 'h', 'f', 'd'));
insert into chat_rollups
select organization_id, dimension, 'f', date_bin('4 hours', at, '2000-01-01Z'), sum(chats), sum(auto_invites), sum(manual_invites),
  sum(good), sum(bad), sum(not_replied), sum(first_responses), sum(first_response_ms), sum(responses), sum(response_ms), sum(chatting_ms)
from chat_rollups where grain = 'h' group by 1, 2, 4 order by 1, 2, 4;

alter table tallies drop constraint tallies_grain_check;
alter table tallies add check (grain in ('q', 'h', 'f', 'd'));
insert into tallies
select organization_id, measure, 'f', date_bin('4 hours', at, '2000-01-01Z'), kind, sum(count), sum(sum), min(lowest), max(highest)
from tallies where grain = 'h' group by 1, 2, 4, 5 order by 1, 2, 4, 5;

-- The most chats that people answered at once in a quarter of an hour, in the last weeks, before that time of the organization.
create table occupancy_quarters (
  organization_id uuid not null references organizations (id),
  at timestamptz(3) not null,
  most integer not null,
  primary key (organization_id, at)
);
create table occupancy_settled (
  organization_id uuid primary key references organizations (id),
  until timestamptz(3) not null
);
`,
};
