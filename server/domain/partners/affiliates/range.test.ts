import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtDays, cutAtMonths, DAY_MS, dayOf } from './range.ts';

const at = (text: string): Date => new Date(text);

describe('cutAtDays', () => {
  it('has no partial days if the span starts and ends at midnight', () => {
    const span = { from: at('2026-03-01T00:00:00Z'), until: at('2026-03-04T00:00:00Z') };
    expect(cutAtDays(span)).toEqual({ ...span, days: { from: '2026-03-01', until: '2026-03-04' }, ends: [] });
  });

  it('has no whole day if the span is within one day', () => {
    const span = { from: at('2026-03-01T10:00:00Z'), until: at('2026-03-01T11:00:00Z') };
    const { days, ends } = cutAtDays(span);
    expect(days.from).toBe(days.until);
    expect(ends).toEqual([span]);
  });

  it('covers the span exactly once', () => {
    const moment = fc.integer({ min: 0, max: 40 * 4 }).map((quarters) => quarters * (DAY_MS / 4));
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [from, until] = [Math.min(one, other), Math.max(one, other)];
        const { days, ends } = cutAtDays({ from: new Date(from), until: new Date(until) });
        for (let now = 0; now < 41 * DAY_MS; now += DAY_MS / 4) {
          const day = dayOf(new Date(now));
          const times =
            Number(day >= days.from && day < days.until) +
            ends.filter((end) => now >= end.from.getTime() && now < end.until.getTime()).length;
          expect(times).toBe(now >= from && now < until ? 1 : 0);
        }
      }),
    );
  });
});

describe('cutAtMonths', () => {
  it.each([
    ['2026-01-01', '2026-04-01', { whole: '2026-01-01 2026-04-01', around: [] }],
    ['2026-01-31', '2026-02-01', { whole: '', around: ['2026-01-31 2026-02-01'] }],
    [
      '2025-11-30',
      '2026-02-02',
      { whole: '2025-12-01 2026-02-01', around: ['2025-11-30 2025-12-01', '2026-02-01 2026-02-02'] },
    ],
    ['2026-01-02', '2026-01-30', { whole: '', around: ['2026-01-02 2026-01-30'] }],
    ['2026-01-02', '2026-02-28', { whole: '', around: ['2026-01-02 2026-02-28'] }],
  ])('splits the span from %s until %s', (from, until, expected) => {
    const { whole, around } = cutAtMonths({ from: at(from), until: at(until) }).months!;
    const write = (days: { from: string; until: string }): string => `${days.from} ${days.until}`;
    expect({ whole: whole.from === whole.until ? '' : write(whole), around: around.map(write) }).toEqual(expected);
  });
});
