import { goalHits } from './goals.ts';
import { WIDTHS, type Width } from './grains.ts';
import { greetingDisplays, greetingGoals } from './greetings.ts';
import { queueStays } from './queue.ts';
import type { Source } from './tally.ts';
import { ticketMoments } from './tickets.ts';

/** All that is counted beside chats; triggers mark what changes. */
export const SOURCES: Source[] = [queueStays, goalHits, greetingDisplays, greetingGoals, ...ticketMoments];

const COLUMNS = 'organization_id, measure, grain, at, kind, count, sum, lowest, highest';

/** One by one, as it happened. */
const counted = ({ at, from, kind, value }: Source, { interval }: Width) => `
select o.kind, count(*) as count, sum(o.value) as sum, min(o.value) as lowest, max(o.value) as highest from (
  select ${kind} as kind, ${value} as value from ${from} and ${at} >= m.at and ${at} < m.at + interval '${interval}') o`;

/** From what is finer. */
const summed = ({ measure }: Source, { interval }: Width, finer: Width) => `
select t.kind, sum(t.count) as count, sum(t.sum) as sum, min(t.lowest) as lowest, max(t.highest) as highest from tallies t
where t.organization_id = $1 and t.measure = '${measure}' and t.grain = '${finer.grain}'
  and t.at >= m.at and t.at < m.at + interval '${interval}'`;

const forget = ({ measure }: Source, { grain }: Width) => `
delete from tallies t where t.organization_id = $1 and t.measure = '${measure}' and t.grain = '${grain}' and t.at = any ($2)`;

// One time after the other, each by an index, whatever PostgreSQL thinks of tables that have just been filled.
const fill = (source: Source, width: Width, finer: Width | undefined) => `
insert into tallies (${COLUMNS})
select $1::uuid, '${source.measure}', '${width.grain}', m.at, s.kind, s.count, s.sum, s.lowest, s.highest
from unnest($2::timestamptz[]) m(at)
cross join lateral (${finer ? summed(source, width, finer) : counted(source, width)} group by 1) s`;

/** What counts a measure anew, one grain after the other; `$2` are the times of that grain. */
export const RECOUNT = new Map(
  SOURCES.map((source) => [
    source.measure,
    WIDTHS.map((width, n) => ({
      milliseconds: width.milliseconds,
      statements: [forget(source, width), fill(source, width, WIDTHS[n - 1])],
    })),
  ]),
);

/** Marks all that there is. */
export const MARK_ALL = SOURCES.map(
  ({ measure, at, from }) => `
insert into tally_marks (organization_id, measure, at)
select distinct $1::uuid, '${measure}', date_bin('15 minutes', ${at}, '2000-01-01Z') from ${from}`,
);
