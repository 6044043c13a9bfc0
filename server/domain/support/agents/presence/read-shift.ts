import type { ShiftDay, WorkSchedule } from '#server/storage/tables/routing.ts';
import { type WallClock, wallClock } from '../../../time-zones.ts';

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Local date and time as one comparable number. */
const localTimeAt = (read: WallClock, at: number): number => {
  const { date, time } = read(new Date(at));
  return Date.parse(`${date}T${time}Z`);
};

/**
 * The first instant at which the local clock shows this time or a later one. A repeated hour begins the first time; a
 * skipped one begins at the change.
 */
const firstInstantOf = (read: WallClock, wanted: number): number => {
  const [before, after] = [wanted - DAY_MS, wanted + DAY_MS].map((at) => localTimeAt(read, at) - at) as [
    number,
    number,
  ];
  let early = wanted - Math.max(before, after);
  let late = wanted - Math.min(before, after);
  if (localTimeAt(read, early) === wanted) return early;
  if (localTimeAt(read, late) === wanted) return late;
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (localTimeAt(read, middle) >= wanted) late = middle;
    else early = middle;
  }
  return late;
};

const toMs = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return (hours * 60 + minutes) * MINUTE_MS;
};

interface Shift {
  begins: number;
  /** Exclusive. */
  ends: number;
}

const shiftOf = (read: WallClock, midnight: number, { start, end }: ShiftDay): Shift => {
  const [from, to] = [toMs(start), toMs(end)];
  return {
    begins: firstInstantOf(read, midnight + from),
    ends: firstInstantOf(read, midnight + to + (to <= from ? DAY_MS : 0)),
  };
};

/** The shifts that begin from the previous day until this many days later, by the local calendar. */
const shiftsAround = (schedule: WorkSchedule, read: WallClock, at: Date, days: number): Shift[] => {
  const today = Date.parse(`${read(at).date}T00:00:00Z`);
  const shifts: Shift[] = [];
  for (let day = -1; day <= days; day++) {
    const midnight = today + day * DAY_MS;
    const shift = schedule[WEEKDAYS[new Date(midnight).getUTCDay()]!];
    if (shift?.enabled) shifts.push(shiftOf(read, midnight, shift));
  }
  return shifts;
};

const covers = (shifts: Shift[], at: number): boolean => shifts.some(({ begins, ends }) => begins <= at && at < ends);

/** Whether an agent with this schedule works now. A shift ends the next day when its end is not after its start. */
export const isOnShift = (schedule: WorkSchedule, timeZone: string, at: Date): boolean =>
  covers(shiftsAround(schedule, wallClock(timeZone), at, 1), at.getTime());

/** Schedules repeat weekly; one more day covers daylight saving changes. */
const DAYS_AHEAD = 8;

/** Whether the agent is on shift and until when; `endsAt` is null if that never changes. */
export const readShift = (
  schedule: WorkSchedule,
  timeZone: string,
  at: Date,
): { onShift: boolean; endsAt: Date | null } => {
  const now = at.getTime();
  const shifts = shiftsAround(schedule, wallClock(timeZone), at, DAYS_AHEAD);
  const onShift = covers(shifts, now);
  const changes = shifts.flatMap(({ begins, ends }) => [begins, ends]).sort((a, b) => a - b);
  const isNext = (change: number): boolean =>
    change > now && change < now + DAYS_AHEAD * DAY_MS && covers(shifts, change) !== onShift;
  const next = changes.find(isNext);
  return { onShift, endsAt: next === undefined ? null : new Date(next) };
};
