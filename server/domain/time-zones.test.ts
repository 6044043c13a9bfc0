import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, nextDay, startOfDay, wallClock } from './time-zones.ts';

describe('startOfDay', () => {
  const starts: [zone: string, date: string, instant: string, why: string][] = [
    ['UTC', '2026-03-08', '2026-03-08T00:00:00.000Z', 'no offset'],
    ['Asia/Kolkata', '2026-03-08', '2026-03-07T18:30:00.000Z', 'offset with half an hour'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 'daylight saving starts later that day'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z', 'after a day of 23 hours'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z', 'after a day of 25 hours'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 'there is no midnight'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 'there are two midnights'],
    ['Pacific/Kiritimati', '2026-12-31', '2026-12-30T10:00:00.000Z', 'fourteen hours ahead'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'a day that was skipped'],
  ];
  for (const [zone, date, instant, why] of starts) {
    it(`in ${zone} on ${date}: ${why}`, () => {
      expect(startOfDay(zone, date).toISOString()).toBe(instant);
    });
  }
});

describe('nextDay', () => {
  it('follows the calendar', () => {
    expect(['2026-02-28', '2028-02-28', '2026-12-31'].map(nextDay)).toEqual(['2026-03-01', '2028-02-29', '2027-01-01']);
  });
});

describe('wallClock', () => {
  it('shows midnight as 00', () => {
    const read = wallClock('Europe/Warsaw');
    expect(read(new Date('2026-03-01T23:00:00Z'))).toEqual({ date: '2026-03-02', time: '00:00:00', weekday: 'Mon' });
  });

  it('agrees with Intl at every instant, including daylight saving changes', () => {
    for (const timeZone of [
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Monrovia',
      'Pacific/Apia',
      'Asia/Kathmandu',
    ]) {
      const read = wallClock(timeZone);
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      const days = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' });
      const says = (at: Date) => {
        const [date, time] = format.format(at).split(' ');
        return { date, time, weekday: days.format(at) };
      };
      const instants = fc.date({ min: new Date('1969-12-01'), max: new Date('2040-01-01'), noInvalidDate: true });
      fc.assert(fc.property(instants, (at) => void expect(read(at)).toEqual(says(at))));
    }
  });

  it('handles an offset change within an hour', () => {
    const read = wallClock('America/St_Johns');
    const times = ['02:30:59', '02:31:00'].map((time) => read(new Date(`2007-11-04T${time}Z`)).time);
    expect(times).toEqual(['00:00:59', '23:01:00']);
  });
});

describe('isTimeZone', () => {
  it('recognizes IANA names, cached or not', () => {
    for (const name of ['Europe/Warsaw', 'Europe/Warsaw']) expect(isTimeZone(name)).toBe(true);
    for (const name of ['Europe/Nowhere', 'Europe/Nowhere', '']) expect(isTimeZone(name)).toBe(false);
  });
});
