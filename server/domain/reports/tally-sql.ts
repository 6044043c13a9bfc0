import { goalHits } from './goals.ts';
import { greetingDisplays, greetingGoals } from './greetings.ts';
import { queueStays } from './queue.ts';
import type { Source } from './tally.ts';
import { ticketMoments } from './tickets.ts';

/** All that is counted beside chats; triggers mark what changes. */
export const SOURCES: Source[] = [queueStays, goalHits, greetingDisplays, greetingGoals, ...ticketMoments];

const COLUMNS = 'organization_id, measure, grain, at, kind, count, sum, lowest, highest';

const forget = ({ measure }: Source) => `
delete from tallies t where t.organization_id = $1 and t.measure = '${measure}'
  and (t.grain = 'q' and t.at = any ($2) or t.grain = 'h' and t.at = any ($3) or t.grain = 'd' and t.at = any ($4))`;

// One time after the other, each by an index, whatever PostgreSQL thinks of tables that have just been filled.
const fill = (measure: string, grain: 'q' | 'h' | 'd', times: string, counted: string) => `
insert into tallies (${COLUMNS})
select $1::uuid, '${measure}', '${grain}', m.at, s.kind, s.count, s.sum, s.lowest, s.highest
from unnest(${times}::timestamptz[]) m(at)
cross join lateral (${counted} group by 1) s`;

const countQuarters = ({ measure, at, from, kind, value }: Source) =>
  fill(
    measure,
    'q',
    '$2',
    `select o.kind, count(*), sum(o.value), min(o.value) as lowest, max(o.value) as highest from (
      select ${kind} as kind, ${value} as value from ${from} and ${at} >= m.at and ${at} < m.at + interval '15 minutes') o`,
  );

const sumUp = ({ measure }: Source, grain: 'h' | 'd', times: string, width: string, finer: 'q' | 'h') =>
  fill(
    measure,
    grain,
    times,
    `select t.kind, sum(t.count) as count, sum(t.sum) as sum, min(t.lowest) as lowest, max(t.highest) as highest from tallies t
    where t.organization_id = $1 and t.measure = '${measure}' and t.grain = '${finer}'
      and t.at >= m.at and t.at < m.at + interval '${width}'`,
  );

/** What counts the quarters `$2`, the hours `$3` and the days `$4` of a measure anew, in this order. */
export const RECOUNT = new Map(
  SOURCES.map((source) => [
    source.measure,
    {
      forget: forget(source),
      quarters: countQuarters(source),
      hours: sumUp(source, 'h', '$2', '1 hour', 'q'),
      days: sumUp(source, 'd', '$2', '1 day', 'h'),
    },
  ]),
);

/** Marks all that there is. */
export const MARK_ALL = SOURCES.map(
  ({ measure, at, from }) => `
insert into tally_marks (organization_id, measure, at)
select distinct $1::uuid, '${measure}', date_bin('15 minutes', ${at}, '2000-01-01Z') from ${from}`,
);
