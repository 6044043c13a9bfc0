import type { Interval } from '../domain/support/routing-simulation/model.ts';
import { nextDay, startOfDay } from '../domain/time-zones.ts';
import { UsageError } from './command.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

const isDate = (value: string): boolean =>
  DATE.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value);

export const checkTime = (name: string, value: string): string => {
  if (isDate(value) || (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))) return value;
  throw new UsageError(
    `--${name} must be a date such as 2026-03-29 or a timestamp such as 2026-03-29T09:00:00Z, but is "${value}"`,
  );
};

/** Dates are days in the organization's time zone, both inclusive. The window ends now at the latest. */
export const readWindow = (
  { from, to }: { from: string; to: string },
  { timezone, now }: { timezone: string; now: number },
): Interval => {
  const begin = isDate(from) ? startOfDay(timezone, from).getTime() : Date.parse(from);
  const end = isDate(to) ? startOfDay(timezone, nextDay(to)).getTime() : Date.parse(to);
  if (begin >= end) throw new UsageError(`--from ${from} must be before --to ${to}`);
  if (begin >= now) throw new UsageError(`--from ${from} is in the future`);
  return { from: begin, to: Math.min(end, now) };
};
