import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { wallClock } from '../../time-zones.ts';
import { resolveTimeZone } from '../archives/time-zone.ts';
import { type Bucket, cutBuckets, type GroupBy } from './buckets.ts';

export interface PeriodInput {
  /** Days as `YYYY-MM-DD`, both included. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timeZone?: string | undefined;
  groupBy?: GroupBy | undefined;
}

/** The requested days, divided into contiguous buckets. There is at least one bucket. */
export interface Period {
  groupBy: GroupBy;
  timeZone: string;
  buckets: Bucket[];
  from: Date;
  to: Date;
}

/** The time of the oldest data that a report can count. Imported data may be older than the organization. */
const FIRST_FACT = `
select least(
  o.created_at,
  (select min(f.started_at) from chat_facts f where f.organization_id = $1),
  (select min(t.created_at) from tickets t where t.organization_id = $1),
  (select min(q.entered_at) from queue_entries q where q.organization_id = $1),
  (select min(h.reached_at) from goal_hits h where h.organization_id = $1),
  (select min(d.displayed_at) from greeting_displays d where d.organization_id = $1)
) as at
from organizations o where o.id = $1`;

const readFirstFactTime = async ({ executor, organizationId }: OrganizationScope): Promise<Date> => {
  const { rows } = await executor.query<{ at: Date }>({
    name: 'first_fact',
    text: FIRST_FACT,
    values: [organizationId],
  });
  return rows[0]!.at;
};

/** Applies the defaults, validates the dates and computes the buckets. */
export const resolvePeriod = async (scope: OrganizationScope, input: PeriodInput): Promise<Period> => {
  const timeZone = await resolveTimeZone(scope, input.timeZone);
  const clock = wallClock(timeZone);
  const dateTo = input.dateTo ?? clock(scope.now()).date;
  if (input.dateFrom !== undefined && input.dateFrom > dateTo) throw invalid('dateFrom', 'must not be after `dateTo`');
  const first = input.dateFrom ?? clock(await readFirstFactTime(scope)).date;
  const [dateFrom] = [first, dateTo].toSorted() as [string, string];
  const groupBy = input.groupBy ?? (input.dateFrom === dateTo ? 'hour' : 'day');
  const buckets = cutBuckets({ timeZone, dateFrom, dateTo, groupBy });
  return { groupBy, timeZone, buckets, from: buckets[0]!.start, to: buckets.at(-1)!.end };
};
