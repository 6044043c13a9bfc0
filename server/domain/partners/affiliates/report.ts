import type { PartnerScope } from '../../scope.ts';
import type { Measure } from './measures.ts';
import { DAY_MS, dayOf, type Span, startOfDay } from './range.ts';
import { type Aggregation, sumByPeriod } from './sum-measures.ts';

/** A calendar period in UTC, half-open. */
export interface Bucket extends Span {
  total: number;
}

const firstOf = (aggregation: Aggregation, at: Date): Date => {
  const day = startOfDay(at);
  if (aggregation === 'month') return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()));
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return aggregation === 'week' ? new Date(day.getTime() - sinceMonday * DAY_MS) : day;
};

const following = (aggregation: Aggregation, first: Date): Date =>
  aggregation === 'month'
    ? new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1))
    : new Date(first.getTime() + (aggregation === 'week' ? 7 : 1) * DAY_MS);

/** The same day in another year, or the day after it where it does not exist. */
const yearsFrom = (now: Date, years: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth(), now.getUTCDate()));

/** Limits a span to 12 months before and after now. */
export const reportSpan = (now: Date, { from, until }: Span): Span => {
  const earliest = yearsFrom(now, -1);
  const latest = yearsFrom(now, 1);
  return { from: from > earliest ? from : earliest, until: until < latest ? until : latest };
};

/** Every calendar period that the span touches, in order. */
export const listPeriods = (aggregation: Aggregation, { from, until }: Span): Span[] => {
  const periods: Span[] = [];
  for (let first = firstOf(aggregation, from); first < until && from < until; ) {
    const next = following(aggregation, first);
    periods.push({ from: first, until: next });
    first = next;
  }
  return periods;
};

/**
 * One bucket per calendar period that the span touches. A bucket counts only what is inside the span, so that all buckets add up
 * to the total of the span.
 */
export const readReport = async (
  scope: PartnerScope,
  measure: Measure,
  { aggregation, ...requested }: Span & { aggregation: Aggregation },
): Promise<Bucket[]> => {
  const span = reportSpan(scope.now(), requested);
  const periods = listPeriods(aggregation, span);
  if (periods.length === 0) return [];
  const sums = await sumByPeriod(scope, measure, span, aggregation);
  return periods.map((period) => ({ ...period, total: sums.get(dayOf(period.from)) ?? 0 }));
};
