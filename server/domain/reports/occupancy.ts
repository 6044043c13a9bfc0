import { requireAgent } from '../access.ts';
import { resolveTimeZone } from '../archives/time-zone.ts';
import type { OrganizationScope } from '../scope.ts';
import { wallClock } from '../time-zones.ts';
import { type Bucket, cutBuckets } from './buckets.ts';

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

const WEEKS = 4;
const DAY_MS = 24 * 3600 * 1000;

/** The last such days, today included, the oldest first. */
const lastDays = (today: string, weekdayToday: string, weekday: Weekday): string[] => {
  const order: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const ago = (order.indexOf(weekdayToday.toLowerCase() as Weekday) - order.indexOf(weekday) + 7) % 7;
  return Array.from({ length: WEEKS }, (_, n) => {
    const days = ago + 7 * (WEEKS - 1 - n);
    return new Date(Date.parse(`${today}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
  });
};

/** Chats that people answered in these days. What ended before them is never read. */
const ANSWERED = `
select a.assigned_at as start, a.ended_at as stop
from assignments a
join agents p on p.organization_id = $1 and p.id = a.agent_id and p.kind = 'person'
where a.organization_id = $1 and (a.ended_at is null or a.ended_at > $4) and exists (
  select from unnest($2::timestamptz[], $3::timestamptz[]) as d(start, stop)
  where a.assigned_at < d.stop and (a.ended_at is null or a.ended_at > d.start))`;

interface Times {
  start: Date;
  stop: Date | null;
}

/** At the same moment one ends before another begins. */
const stepsOf = (times: Times[]): { at: number; step: 1 | -1 }[] =>
  times
    .flatMap(({ start, stop }) => [
      { at: start.getTime(), step: 1 as const },
      ...(stop ? [{ at: stop.getTime(), step: -1 as const }] : []),
    ])
    .sort((a, b) => a.at - b.at || a.step - b.step);

const mostAtOnce = (times: Times[], buckets: Bucket[]): number[] => {
  const steps = stepsOf(times);
  let open = 0;
  let next = 0;
  return buckets.map(({ start, end }) => {
    for (; next < steps.length && steps[next]!.at <= start.getTime(); next++) open += steps[next]!.step;
    let most = open;
    for (; next < steps.length && steps[next]!.at < end.getTime(); next++) {
      open += steps[next]!.step;
      most = Math.max(most, open);
    }
    return most;
  });
};

/** The most chats that were answered at once, in each hour of the last four such weekdays. */
export const readOccupancy = async (
  scope: OrganizationScope,
  { weekday }: { weekday: Weekday },
): Promise<{ key: string; most: number }[]> => {
  requireAgent(scope.actor);
  const timeZone = await resolveTimeZone(scope, undefined);
  const today = wallClock(timeZone)(scope.now());
  const days = lastDays(today.date, today.weekday, weekday);
  const hours = days.map((date) => cutBuckets({ timeZone, dateFrom: date, dateTo: date, groupBy: 'hour' }));
  const starts = hours.map(([first]) => first!.start);
  const values = [scope.organizationId, starts, hours.map((day) => day.at(-1)!.end), starts[0]];
  const { rows } = await scope.executor.query<Times>({ text: ANSWERED, values });
  const buckets = hours.flat();
  const most = mostAtOnce(rows, buckets);
  const named = buckets.map(({ key, firstDay }, n) => ({ key: `${firstDay} ${key}`, most: most[n]! }));
  // An hour that the clocks showed again after another has several parts.
  return [...Map.groupBy(named, ({ key }) => key)].map(([key, parts]) => ({
    key,
    most: Math.max(...parts.map((part) => part.most)),
  }));
};
