import { invalid } from '#server/domain/errors.ts';
import type { DateRange, Span } from '#server/domain/partners/affiliates/range.ts';

const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * SECOND_MS;

/** The supported range of years. */
const EARLIEST = Date.UTC(1970);
const LATEST = Date.UTC(3000);

const read = (field: string, text: string): Date => {
  const at = new Date(text);
  // `Date` would turn a day that does not exist into one of the next month.
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10));
  if (!isReal || at.getTime() < EARLIEST || at.getTime() > LATEST)
    throw invalid(field, 'must be a date such as 2026-03-31');
  return at;
};

/** The contract checks the format of both dates. */
export const readDateRange = (query: { date_from?: string | undefined; date_to?: string | undefined }): DateRange => {
  const from = query.date_from === undefined ? undefined : read('date_from', query.date_from);
  const to = query.date_to === undefined ? undefined : read('date_to', query.date_to);
  const length = query.date_to?.includes('T') ? SECOND_MS : DAY_MS;
  const until = to && new Date(to.getTime() + length);
  if (from && until && from >= until) throw invalid('date_from', 'must not be after `date_to`');
  return { from, until };
};

/** Reads a range whose start and end are required. */
export const readSpan = (query: { date_from: string; date_to: string }): Span => {
  const { from, until } = readDateRange(query);
  return { from: from!, until: until! };
};
