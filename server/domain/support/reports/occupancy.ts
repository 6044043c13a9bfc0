import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { wallClock } from '../../time-zones.ts';
import { resolveTimeZone } from '../archives/time-zone.ts';
import { type Bucket, cutBuckets } from './buckets.ts';
import { type Quarter, readQuarters } from './occupancy-quarters.ts';

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

const WEEKS = 4;
const QUARTER_MS = 15 * 60_000;
const DAY_MS = 96 * QUARTER_MS;

/** The last four dates on this weekday, including today, oldest first. */
const lastDays = (today: string, weekdayToday: string, weekday: Weekday): string[] => {
  const order: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const ago = (order.indexOf(weekdayToday.toLowerCase() as Weekday) - order.indexOf(weekday) + 7) % 7;
  return Array.from({ length: WEEKS }, (_, n) => {
    const days = ago + 7 * (WEEKS - 1 - n);
    return new Date(Date.parse(`${today}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
  });
};

const maxOf = (quarters: Quarter[], buckets: Bucket[]): number[] => {
  const maxByQuarter = new Map(quarters.map((quarter) => [quarter.at.getTime(), quarter.maxChats]));
  return buckets.map(({ start, end }) => {
    let highest = 0;
    for (let at = start.getTime(); at < end.getTime(); at += QUARTER_MS)
      highest = Math.max(highest, maxByQuarter.get(at) ?? 0);
    return highest;
  });
};

/** The maximum number of simultaneously assigned chats in each hour of the last four such weekdays. */
export const readOccupancy = async (
  scope: OrganizationScope,
  { weekday }: { weekday: Weekday },
): Promise<{ key: string; maxChats: number }[]> => {
  requireAgent(scope.actor);
  const timeZone = await resolveTimeZone(scope, undefined);
  const today = wallClock(timeZone)(scope.now());
  const days = lastDays(today.date, today.weekday, weekday);
  const hours = days.map((date) => cutBuckets({ timeZone, dateFrom: date, dateTo: date, groupBy: 'hour' }));
  const quarters = await readQuarters(
    scope,
    hours.map((day) => ({ start: day[0]!.start, end: day.at(-1)!.end })),
  );
  const buckets = hours.flat();
  const maxChats = maxOf(quarters, buckets);
  const named = buckets.map(({ key, firstDay }, n) => ({ key: `${firstDay} ${key}`, maxChats: maxChats[n]! }));
  // An hour that repeats after a clock change has several parts.
  return [...Map.groupBy(named, ({ key }) => key)].map(([key, parts]) => ({
    key,
    maxChats: Math.max(...parts.map((part) => part.maxChats)),
  }));
};
