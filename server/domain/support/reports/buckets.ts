import { invalid } from '../../errors.ts';
import { startOfDay, type WallClock, wallClock } from '../../time-zones.ts';

export type GroupBy = 'hour' | 'day' | 'month';

/** The interval is half-open: `end` belongs to the next bucket. */
export interface Bucket {
  /** `HH:mm` for the hours of one day, else `YYYY-MM-DD HH:mm`; `YYYY-MM-DD`; `YYYY-MM`. */
  key: string;
  start: Date;
  end: Date;
  /** The first and the last requested day in it. */
  firstDay: string;
  lastDay: string;
}

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_MS;
const DAY_MS = 24 * HOUR_MS;

/** Larger reports are not useful and would delay other requests. */
const MAX_BUCKETS = 25_000;

interface Day {
  date: string;
  start: number;
  end: number;
}

/** Formats as `dd, HH:mm:ss`. Formatting all fields would take most of the time of a report. */
const formatDayAndTime = (timeZone: string): ((at: number) => string) => {
  const two = '2-digit';
  const parts = { day: two, hour: two, minute: two, second: two } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts });
  return (at) => format.format(at);
};

/** The end of a 24-hour day follows from its start. Only around clock changes is it searched for. */
const listDays = (timeZone: string, dateFrom: string, count: number): Day[] => {
  const format = formatDayAndTime(timeZone);
  const first = Date.parse(`${dateFrom}T00:00:00Z`);
  const days: Day[] = [];
  let start = startOfDay(timeZone, dateFrom).getTime();
  for (let n = 1; n <= count; n++) {
    const date = new Date(first + (n - 1) * DAY_MS).toISOString().slice(0, 10);
    const following = new Date(first + n * DAY_MS).toISOString().slice(0, 10);
    const has24Hours = format(start + DAY_MS) === `${following.slice(8)}, 00:00:00`;
    const end = has24Hours ? start + DAY_MS : startOfDay(timeZone, following).getTime();
    days.push({ date, start, end });
    start = end;
  }
  return days;
};

/**
 * The hours of a day in local time. An hour that is repeated directly after itself is twice as long; a skipped hour is omitted.
 * If the clocks go back across the start of an hour, hours recur after other hours. Time in which the clocks went back to the
 * previous day belongs to the hour that was interrupted.
 */
const listHours = (clock: WallClock, { date, start, end }: Day): { hour: string; start: number; end: number }[] => {
  // A day that the time zone skipped.
  if (start === end) return [{ hour: '00:00', start, end }];
  if (end - start === DAY_MS)
    return Array.from({ length: 24 }, (_, n) => ({
      hour: `${String(n).padStart(2, '0')}:00`,
      start: start + n * HOUR_MS,
      end: start + (n + 1) * HOUR_MS,
    }));
  const hours: { hour: string; start: number; end: number }[] = [];
  for (let at = start; at < end; at += QUARTER_MS) {
    const shown = clock(new Date(at));
    const hour = `${shown.time.slice(0, 2)}:00`;
    const last = hours.at(-1);
    const until = Math.min(at + QUARTER_MS, end);
    if (last && (shown.date !== date || hour === last.hour)) last.end = until;
    else hours.push({ hour, start: at, end: until });
  }
  return hours;
};

const toBucket = (key: string, start: number, end: number, firstDay: string, lastDay = firstDay): Bucket => ({
  ...{ key, start: new Date(start), end: new Date(end) },
  ...{ firstDay, lastDay },
});

const byMonth = (days: Day[]): Bucket[] =>
  [...Map.groupBy(days, ({ date }) => date.slice(0, 7))].map(([key, some]) => {
    const [first, last] = [some[0]!, some.at(-1)!];
    return toBucket(key, first.start, last.end, first.date, last.date);
  });

export interface BucketOptions {
  timeZone: string;
  dateFrom: string;
  dateTo: string;
  groupBy: GroupBy;
}

/** For each bucket, the index of the first bucket with the same key. Buckets with the same key are reported as one. */
export const firstParts = (buckets: Bucket[]): number[] => {
  const firstByKey = new Map<string, number>();
  return buckets.map(({ key }, n) => {
    if (!firstByKey.has(key)) firstByKey.set(key, n);
    return firstByKey.get(key)!;
  });
};

/** All buckets from the first to the last day, in order, including future ones. */
export const cutBuckets = ({ timeZone, dateFrom, dateTo, groupBy }: BucketOptions): Bucket[] => {
  const count = Math.round((Date.parse(`${dateTo}T00:00:00Z`) - Date.parse(`${dateFrom}T00:00:00Z`)) / DAY_MS) + 1;
  if (count * (groupBy === 'hour' ? 24 : 1) > MAX_BUCKETS)
    throw invalid('dateFrom', `is too far from \`dateTo\` to be grouped by ${groupBy}: narrow the dates`);
  const clock = wallClock(timeZone);
  const days = listDays(timeZone, dateFrom, count);
  switch (groupBy) {
    case 'month':
      return byMonth(days);
    case 'day':
      return days.map(({ date, start, end }) => toBucket(date, start, end, date));
    case 'hour':
      return days.flatMap((day) =>
        listHours(clock, day).map(({ hour, start, end }) =>
          toBucket(count === 1 ? hour : `${day.date} ${hour}`, start, end, day.date),
        ),
      );
  }
};
