import { describe, expect, it } from 'vitest';
import { readDateRange } from './date-range.ts';

describe('a range of dates', () => {
  it.each([
    [{}, {}],
    [
      { date_from: '2026-02-28', date_to: '2026-02-28' },
      { from: '2026-02-28T00:00:00.000Z', until: '2026-03-01T00:00:00.000Z' },
    ],
    [
      { date_from: '2026-02-28T23:59:59Z', date_to: '2026-02-28T23:59:59Z' },
      { from: '2026-02-28T23:59:59.000Z', until: '2026-03-01T00:00:00.000Z' },
    ],
    [{ date_to: '2028-02-29' }, { until: '2028-03-01T00:00:00.000Z' }],
    [
      { date_from: '2026-01-01T00:00:00Z', date_to: '2026-01-01' },
      { from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
    ],
    [
      { date_from: '2026-01-01T12:00:00Z', date_to: '2026-01-01' },
      { from: '2026-01-01T12:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
    ],
  ])('%j includes its last day or second', (query, range) =>
    expect(JSON.parse(JSON.stringify(readDateRange(query)))).toEqual(range),
  );

  it.each(['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-01T24:00:01Z', '0000-01-01', '9999-12-31'])(
    'rejects %s',
    (date) => expect(() => readDateRange({ date_from: date })).toThrow('`date_from` must be a date such as 2026-03-31'),
  );

  it('rejects an end before the start', () =>
    expect(() => readDateRange({ date_from: '2026-01-02', date_to: '2026-01-01' })).toThrow('must not be after'));
});
