/** Creating a formatter dominates the cost of a beacon, and there are few names. */
const validNames = new Set<string>();
const MAX_CACHED = 1_000;

/** Whether this is an IANA time zone name, such as `Europe/Warsaw`. */
export const isTimeZone = (name: string): boolean => {
  if (validNames.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  if (validNames.size < MAX_CACHED) validNames.add(name);
  return true;
};

/** Local date and time in a time zone. */
export interface WallTime {
  /** `YYYY-MM-DD` */
  date: string;
  /** `HH:mm:ss` */
  time: string;
  /** `Mon` to `Sun` */
  weekday: string;
}

export type WallClock = (instant: Date) => WallTime;

const exactClock = (timeZone: string): WallClock => {
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

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Instants before 1970 and after 9999 are rare and take the slow path. */
const FAST_PATH_END_MS = Date.UTC(9999, 11, 30);

/** The offset from UTC in milliseconds. */
const offsetAt = (read: WallClock, at: number): number => {
  const { date, time } = read(new Date(at));
  return Date.parse(`${date}T${time}Z`) - at;
};

/**
 * Converts instants to local time. Creating a clock is much more expensive than using it. An offset that is the same at
 * the beginning and end of an hour applies within it, which avoids the slow Intl call per instant.
 */
export const wallClock = (timeZone: string): WallClock => {
  const read = exactClock(timeZone);
  const offsets = new Map<number, number>();
  const offsetOf = (hour: number): number => {
    const offset = offsets.get(hour) ?? offsetAt(read, hour * HOUR_MS);
    offsets.set(hour, offset);
    return offset;
  };
  return (instant) => {
    const at = instant.getTime();
    if (!(at > DAY_MS && at < FAST_PATH_END_MS)) return read(instant);
    const hour = Math.floor(at / HOUR_MS);
    const offset = offsetOf(hour);
    if (offset !== offsetOf(hour + 1)) return read(instant);
    const local = new Date(at + offset);
    const text = local.toISOString();
    return { date: text.slice(0, 10), time: text.slice(11, 19), weekday: WEEKDAYS[local.getUTCDay()]! };
  };
};

/**
 * The first instant of a day. Where daylight saving changes at midnight there may be two midnights or none: both
 * offsets are tried, and the earlier instant that belongs to the day is returned.
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
