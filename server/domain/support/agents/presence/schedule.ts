import type { ShiftDay, WorkSchedule } from '#server/storage/tables/routing.ts';
import { type WallClock, wallClock } from '../../../time-zones.ts';

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Calendar and clock as one number, so that they can be compared. */
const shownAt = (read: WallClock, at: number): number => {
  const { date, time } = read(new Date(at));
  return Date.parse(`${date}T${time}Z`);
};

/**
 * The first instant at which the clocks there show this time or a later one. An hour that comes twice begins the first
 * time; one that is left out begins when the clocks jump over it.
 */
const firstShowing = (read: WallClock, wanted: number): number => {
  const [before, after] = [wanted - DAY_MS, wanted + DAY_MS].map((at) => shownAt(read, at) - at) as [number, number];
  let early = wanted - Math.max(before, after);
  let late = wanted - Math.min(before, after);
  if (shownAt(read, early) === wanted) return early;
  if (shownAt(read, late) === wanted) return late;
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (shownAt(read, middle) >= wanted) late = middle;
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
  /** No longer part of it. */
  ends: number;
}

const shiftOf = (read: WallClock, midnight: number, { start, end }: ShiftDay): Shift => {
  const [from, to] = [toMs(start), toMs(end)];
  return {
    begins: firstShowing(read, midnight + from),
    ends: firstShowing(read, midnight + to + (to <= from ? DAY_MS : 0)),
  };
};

/** The shifts that begin from the day before until so many days after, by the calendar there. */
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

/** Whether somebody with this schedule works now. A shift ends the next day when its end is not after its start. */
export const isOnShift = (schedule: WorkSchedule, timeZone: string, at: Date): boolean =>
  covers(shiftsAround(schedule, wallClock(timeZone), at, 1), at.getTime());

/** A week repeats itself; the day more is for clocks that change. */
const DAYS_AHEAD = 8;

/** What the schedule says now, and when it will say something else; never, if it is the same all week. */
export const readShift = (
  schedule: WorkSchedule,
  timeZone: string,
  at: Date,
): { onShift: boolean; endsAt: Date | null } => {
  const now = at.getTime();
  const shifts = shiftsAround(schedule, wallClock(timeZone), at, DAYS_AHEAD);
  const onShift = covers(shifts, now);
  const turns = shifts.flatMap(({ begins, ends }) => [begins, ends]).sort((a, b) => a - b);
  const isNext = (turn: number): boolean =>
    turn > now && turn < now + DAYS_AHEAD * DAY_MS && covers(shifts, turn) !== onShift;
  const next = turns.find(isNext);
  return { onShift, endsAt: next === undefined ? null : new Date(next) };
};
