import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallClock } from '../../time-zones.ts';
import { type Bucket, cutBuckets, firstParts, type GroupBy } from './buckets.ts';
import { listRollupRanges } from './rollup-ranges.ts';

const cut = (timeZone: string, dateFrom: string, dateTo: string, groupBy: GroupBy): Bucket[] =>
  cutBuckets({ timeZone, dateFrom, dateTo, groupBy });

const minutes = ({ start, end }: Bucket): number => (end.getTime() - start.getTime()) / 60_000;

const hoursOf = (timeZone: string, date: string): Record<string, number> => {
  const hours: Record<string, number> = {};
  for (const bucket of cut(timeZone, date, date, 'hour'))
    hours[bucket.key] = (hours[bucket.key] ?? 0) + minutes(bucket);
  return hours;
};

describe('a day', () => {
  const lengths: [zone: string, date: string, hours: number][] = [
    ['Europe/Warsaw', '2026-03-29', 23],
    ['Europe/Warsaw', '2026-10-25', 25],
    ['Europe/Warsaw', '2026-10-26', 24],
    ['America/New_York', '2026-03-08', 23],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['America/Sao_Paulo', '2018-02-17', 25],
    ['America/Havana', '2026-11-01', 25],
    ['Asia/Kathmandu', '2026-11-01', 24],
    ['Pacific/Apia', '2011-12-30', 0],
  ];
  for (const [zone, date, hours] of lengths) {
    it(`${date} has ${hours} hours in ${zone}`, () => {
      expect(cut(zone, date, date, 'day').map(minutes)).toEqual([hours * 60]);
      const sum = cut(zone, date, date, 'hour').reduce((total, bucket) => total + minutes(bucket), 0);
      expect(sum).toBe(hours * 60);
    });
  }
});

describe('the hours of a day', () => {
  it('omit the hour that a clock change skips', () => {
    const hours = hoursOf('Europe/Warsaw', '2026-03-29');
    expect(Object.keys(hours)).toHaveLength(23);
    expect(hours).not.toHaveProperty(['02:00']);
    expect(hours['03:00']).toBe(60);
  });

  it('combine the two hours that a clock change repeats', () => {
    const hours = hoursOf('Europe/Warsaw', '2026-10-25');
    expect(Object.keys(hours)).toHaveLength(24);
    expect([hours['01:00'], hours['02:00'], hours['03:00']]).toEqual([60, 120, 60]);
  });

  it('may be shorter or longer by half an hour', () => {
    expect(hoursOf('Australia/Lord_Howe', '2026-10-04')['02:00']).toBe(30);
    expect(hoursOf('Australia/Lord_Howe', '2026-04-05')['01:00']).toBe(90);
  });

  it('contain the minutes shown by local clocks, even if these go back across the start of an hour', () => {
    const [chatham, troll] = [hoursOf('Pacific/Chatham', '2024-04-07'), hoursOf('Antarctica/Troll', '2024-10-27')];
    expect([chatham['01:00'], chatham['02:00'], chatham['03:00'], chatham['04:00']]).toEqual([60, 75, 105, 60]);
    expect([troll['00:00'], troll['01:00'], troll['02:00'], troll['03:00']]).toEqual([60, 120, 120, 60]);
    expect([Object.keys(chatham).length, Object.keys(troll).length]).toEqual([24, 24]);
    const parts = cut('Pacific/Chatham', '2024-04-07', '2024-04-07', 'hour');
    expect(firstParts(parts).slice(1, 7)).toEqual([1, 2, 3, 2, 3, 6]);
  });

  it('stay in order if midnight is repeated', () => {
    expect(hoursOf('America/Havana', '2026-11-01')['00:00']).toBe(120);
    expect(hoursOf('America/Sao_Paulo', '2018-02-17')['23:00']).toBe(120);
    expect(Object.keys(hoursOf('America/Sao_Paulo', '2018-11-04'))[0]).toBe('01:00');
    expect(hoursOf('America/St_Johns', '2010-11-07')['00:00']).toBe(120);
  });

  it('have keys with the date if there are several days', () => {
    const keys = cut('Asia/Kolkata', '2026-11-01', '2026-11-02', 'hour').map(({ key }) => key);
    expect([keys.length, keys[0], keys[47]]).toEqual([48, '2026-11-01 00:00', '2026-11-02 23:00']);
  });
});

describe('months', () => {
  it('include only the requested days', () => {
    const months = cut('Europe/Warsaw', '2026-01-29', '2026-03-02', 'month');
    expect(months.map(({ key, firstDay, lastDay }) => [key, firstDay, lastDay])).toEqual([
      ['2026-01', '2026-01-29', '2026-01-31'],
      ['2026-02', '2026-02-01', '2026-02-28'],
      ['2026-03', '2026-03-01', '2026-03-02'],
    ]);
  });
});

it('rejects a period with too many buckets', () => {
  expect(() => cut('Etc/UTC', '1000-01-01', '2026-01-01', 'day')).toThrow(/narrow the dates/);
  expect(() => cut('Etc/UTC', '2020-01-01', '2026-01-01', 'hour')).toThrow(/narrow the dates/);
});

const zones = ['Europe/Warsaw', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo'];
const anyCut = fc.record({
  timeZone: fc.constantFrom(...zones, 'America/Havana', 'Pacific/Chatham', 'Africa/Casablanca'),
  day: fc.integer({ min: Date.UTC(2005, 0, 1) / 864e5, max: Date.UTC(2027, 0, 1) / 864e5 }),
  days: fc.integer({ min: 0, max: 70 }),
  groupBy: fc.constantFrom<GroupBy>('hour', 'day', 'month'),
});
const toDate = (day: number): string => new Date(day * 864e5).toISOString().slice(0, 10);

describe('any days in any zone', () => {
  it('are divided without gaps into buckets whose keys match local time', () => {
    fc.assert(
      fc.property(anyCut, ({ timeZone, day, days, groupBy }) => {
        const buckets = cut(timeZone, toDate(day), toDate(day + days), groupBy);
        const clock = wallClock(timeZone);
        for (const [n, { key, start, end, firstDay }] of buckets.entries()) {
          if (n > 0) expect(start).toEqual(buckets[n - 1]!.end);
          const shown = clock(start);
          expect(firstDay).toBe(shown.date);
          const hour = `${shown.time.slice(0, 2)}:00`;
          if (groupBy === 'hour') expect(key).toBe(days === 0 ? hour : `${shown.date} ${hour}`);
          else expect(shown.date.startsWith(key)).toBe(true);
          const last = clock(new Date(end.getTime() - 1));
          if (groupBy === 'hour') expect(last.time.slice(0, 2)).toBe(shown.time.slice(0, 2));
          expect(last.date.slice(0, groupBy === 'month' ? 7 : 10)).toBe(
            shown.date.slice(0, groupBy === 'month' ? 7 : 10),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are read from adjacent rollups that never span two buckets', () => {
    fc.assert(
      fc.property(anyCut, ({ timeZone, day, days, groupBy }) => {
        const buckets = cut(timeZone, toDate(day), toDate(day + days), groupBy);
        const ranges = listRollupRanges(buckets);
        expect(ranges[0]!.from).toBe(buckets[0]!.start.getTime());
        expect(ranges.at(-1)!.to).toBe(buckets.at(-1)!.end.getTime());
        for (const [n, { resolution, from, to }] of ranges.entries()) {
          if (n > 0) expect(from).toBe(ranges[n - 1]!.to);
          const step = { d: 864e5, f: 144e5, h: 36e5, q: 9e5 }[resolution];
          expect([from % step, to % step]).toEqual([0, 0]);
          const cutWithin = buckets.filter(({ start }) => start.getTime() > from && start.getTime() < to);
          expect(cutWithin.every(({ start }) => start.getTime() % step === 0)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
