import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = Date.now();
  for (const listener of listeners) listener();
};

/** One clock for all, so that a thousand ages cost one timer. */
const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    now = Date.now();
    ticking = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(ticking);
  };
};

/** The time in milliseconds, at most ten seconds old. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `45s`, `12m`, `3h 05m`, `2d`. */
export const formatSpan = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m`;
  if (whole < DAY)
    return `${Math.floor(whole / HOUR)}h ${String(Math.floor((whole % HOUR) / MINUTE)).padStart(2, '0')}m`;
  return `${Math.floor(whole / DAY)}d`;
};

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

type Moment = string | number | Date;

export const formatTime = (at: Moment): string => full.format(new Date(at));
export const formatClock = (at: Moment): string => clock.format(new Date(at));
export const formatDay = (at: Moment): string => day.format(new Date(at));

/** How long ago, kept up to date; the moment itself on hover. */
export const TimeAgo = ({ at, suffix = ' ago' }: { at: Moment; suffix?: string }) => {
  const date = new Date(at);
  const seconds = (useNow() - date.getTime()) / 1000;
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)}>
      {seconds < MINUTE && suffix ? 'just now' : `${formatSpan(seconds)}${suffix}`}
    </time>
  );
};
