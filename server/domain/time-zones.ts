/** Whether the runtime knows this IANA name, such as `Europe/Warsaw`. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** What calendar and clock show somewhere. */
export interface WallTime {
  /** `YYYY-MM-DD` */
  date: string;
  /** `HH:mm:ss` */
  time: string;
  /** `Mon` to `Sun` */
  weekday: string;
}

export type WallClock = (instant: Date) => WallTime;

/** Reads instants as people in a time zone do. Making one costs much more than asking it. */
export const wallClock = (timeZone: string): WallClock => {
  const two = '2-digit';
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ weekday: 'short', year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  });
  return (instant) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return {
      date: `${part.year!.padStart(4, '0')}-${part.month}-${part.day}`,
      time: `${part.hour}:${part.minute}:${part.second}`,
      weekday: part.weekday!,
    };
  };
};

const DAY_MS = 24 * 3600 * 1000;

/** How far the clocks there are ahead of UTC, in milliseconds. */
const offsetAt = (read: WallClock, at: number): number => {
  const { date, time } = read(new Date(at));
  return Date.parse(`${date}T${time}Z`) - at;
};

/**
 * The first instant of a day. Where the clocks change at midnight there may be two midnights or none: both offsets are
 * tried, and the earlier instant that already belongs to the day wins.
 */
export const startOfDay = (timeZone: string, date: string): Date => {
  const read = wallClock(timeZone);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const offsets = [offsetAt(read, midnight - DAY_MS), offsetAt(read, midnight + DAY_MS)];
  const earlier = new Date(midnight - Math.max(...offsets));
  return read(earlier).date >= date ? earlier : new Date(midnight - Math.min(...offsets));
};

export const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
