import { describe, expect, it } from 'vitest';
import { dayOf } from './range.ts';
import { listPeriods, reportSpan } from './report.ts';

const span = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) });
const days = (periods: { from: Date; until: Date }[]): string[] =>
  periods.map(({ from, until }) => `${dayOf(from)} ${dayOf(until)}`);

describe('listPeriods', () => {
  it('lists whole days', () =>
    expect(days(listPeriods('day', span('2026-02-28T12:00:00Z', '2026-03-01T00:00:01Z')))).toEqual([
      '2026-02-28 2026-03-01',
      '2026-03-01 2026-03-02',
    ]));

  it('lists weeks that start on Monday', () =>
    expect(days(listPeriods('week', span('2026-03-01T23:59:59Z', '2026-03-02T00:00:01Z')))).toEqual([
      '2026-02-23 2026-03-02',
      '2026-03-02 2026-03-09',
    ]));

  it('lists calendar months, also in a leap year', () =>
    expect(days(listPeriods('month', span('2027-12-31', '2028-03-01')))).toEqual([
      '2027-12-01 2028-01-01',
      '2028-01-01 2028-02-01',
      '2028-02-01 2028-03-01',
    ]));

  it('lists no period for an empty span', () =>
    expect(listPeriods('day', span('2026-03-02', '2026-03-02'))).toEqual([]));
});

describe('reportSpan', () => {
  const now = new Date('2026-03-02T10:00:00Z');

  it('reaches one year back and one year ahead', () =>
    expect(reportSpan(now, span('1970-01-01', '3000-01-01'))).toEqual(span('2025-03-02', '2027-03-02')));

  it('stays within the requested span', () => {
    const requested = span('2026-01-10T01:00:00Z', '2026-01-12T02:00:00Z');
    expect(reportSpan(now, requested)).toEqual(requested);
  });

  it('is empty for a span before that', () =>
    expect(listPeriods('month', reportSpan(now, span('2024-01-01', '2025-01-01')))).toEqual([]));
});
