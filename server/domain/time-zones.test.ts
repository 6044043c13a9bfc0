import { describe, expect, it } from 'vitest';
import { nextDay, startOfDay, wallClock } from './time-zones.ts';

describe('the start of a day', () => {
  const starts: [zone: string, date: string, instant: string, why: string][] = [
    ['UTC', '2026-03-08', '2026-03-08T00:00:00.000Z', 'no offset'],
    ['Asia/Kolkata', '2026-03-08', '2026-03-07T18:30:00.000Z', 'half an hour'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 'the clocks go forward later that day'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z', 'after a day of 23 hours'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z', 'after a day of 25 hours'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 'there is no midnight'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 'there are two midnights'],
    ['Pacific/Kiritimati', '2026-12-31', '2026-12-30T10:00:00.000Z', 'fourteen hours ahead'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'a day that never was'],
  ];
  for (const [zone, date, instant, why] of starts) {
    it(`in ${zone} on ${date}: ${why}`, () => {
      expect(startOfDay(zone, date).toISOString()).toBe(instant);
    });
  }
});

describe('a day', () => {
  it('is followed by the next one of the calendar', () => {
    expect(['2026-02-28', '2028-02-28', '2026-12-31'].map(nextDay)).toEqual(['2026-03-01', '2028-02-29', '2027-01-01']);
  });
});

describe('a wall clock', () => {
  it('shows midnight as 00', () => {
    const read = wallClock('Europe/Warsaw');
    expect(read(new Date('2026-03-01T23:00:00Z'))).toEqual({ date: '2026-03-02', time: '00:00:00', weekday: 'Mon' });
  });
});
