import { useSyncExternalStore } from 'react';
import { locale } from '../i18n/language.ts';
import { t } from '../i18n/t.ts';

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = Date.now();
  for (const listener of listeners) listener();
};

/** All components share one timer. */
const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
};

/** The time in milliseconds, at most ten seconds old. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const unitFormat = (unit: string): ((value: number) => string) => {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' });
  return (value) => format.format(Math.floor(value));
};
const formatDays = unitFormat('day');
const formatHours = unitFormat('hour');
const formatMinutes = unitFormat('minute');
const formatSeconds = unitFormat('second');

/** `45s`, `12m`, `3h 5m`, `2d`. */
export const formatSpan = (seconds: number): string => {
  const whole = Math.max(0, seconds);
  if (whole < MINUTE) return formatSeconds(whole);
  if (whole < HOUR) return formatMinutes(whole / MINUTE);
  if (whole < DAY) return `${formatHours(whole / HOUR)} ${formatMinutes((whole % HOUR) / MINUTE)}`;
  return formatDays(whole / DAY);
};

const full = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

type Moment = string | number | Date;

export const formatTime = (at: Moment): string => full.format(new Date(at));
export const formatClock = (at: Moment): string => clock.format(new Date(at));
export const formatDay = (at: Moment): string => day.format(new Date(at));

/** How long ago, updated while it is shown, with the exact time on hover. `short`: the duration alone. */
export const TimeAgo = ({ at, short = false }: { at: Moment; short?: boolean }) => {
  const date = new Date(at);
  const seconds = (useNow() - date.getTime()) / 1000;
  return (
    <time dateTime={date.toISOString()} title={formatTime(date)}>
      {short ? formatSpan(seconds) : seconds < MINUTE ? t('justNow') : t('spanAgo', { span: formatSpan(seconds) })}
    </time>
  );
};
