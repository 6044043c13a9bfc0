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

/** The asked days, cut into buckets that follow each other without a gap. There is at least one. */
export interface Period {
  groupBy: GroupBy;
  timeZone: string;
  buckets: Bucket[];
  from: Date;
  to: Date;
}

/** The first thing a report could count; an account may have brought its history along. */
const FIRST = `
select least(
  o.created_at,
  (select min(f.started_at) from chat_facts f where f.organization_id = $1),
  (select min(t.created_at) from tickets t where t.organization_id = $1),
  (select min(q.entered_at) from queue_stays q where q.organization_id = $1),
  (select min(h.reached_at) from goal_hits h where h.organization_id = $1),
  (select min(d.displayed_at) from greeting_displays d where d.organization_id = $1)
) as at
from organizations o where o.id = $1`;

const startOfTime = async ({ executor, organizationId }: OrganizationScope): Promise<Date> => {
  const { rows } = await executor.query<{ at: Date }>({ name: 'first_fact', text: FIRST, values: [organizationId] });
  return rows[0]!.at;
};

/** Reads which days are meant, and refuses those that cannot be answered. */
export const openPeriod = async (scope: OrganizationScope, input: PeriodInput): Promise<Period> => {
  const timeZone = await resolveTimeZone(scope, input.timeZone);
  const clock = wallClock(timeZone);
  const dateTo = input.dateTo ?? clock(scope.now()).date;
  if (input.dateFrom !== undefined && input.dateFrom > dateTo) throw invalid('dateFrom', 'must not be after `dateTo`');
  const first = input.dateFrom ?? clock(await startOfTime(scope)).date;
  const [dateFrom] = [first, dateTo].toSorted() as [string, string];
  const groupBy = input.groupBy ?? (input.dateFrom === dateTo ? 'hour' : 'day');
  const buckets = cutBuckets({ timeZone, dateFrom, dateTo, groupBy });
  return { groupBy, timeZone, buckets, from: buckets[0]!.start, to: buckets.at(-1)!.end };
};
