import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ShiftDay, WorkSchedule } from '#server/storage/tables/routing.ts';
import { wallClock } from '../../../time-zones.ts';
import { isOnShift, readShift, WEEKDAYS } from './read-shift.ts';

const shift = (start: string, end: string): ShiftDay => ({ enabled: true, start, end });
const everyDay = (day: ShiftDay): WorkSchedule => Object.fromEntries(WEEKDAYS.map((name) => [name, day]));
const at = (text: string): Date => new Date(text);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a shift', () => {
  // 2026-03-02 is a Monday.
  const monday = { monday: shift('09:00', '17:00') };

  it('includes its start and excludes its end', () => {
    const works = (text: string): boolean => isOnShift(monday, 'Europe/Warsaw', at(text));
    expect(works('2026-03-02T07:59:59.999Z')).toBe(false);
    expect(works('2026-03-02T08:00:00.000Z')).toBe(true);
    expect(works('2026-03-02T15:59:59.999Z')).toBe(true);
    expect(works('2026-03-02T16:00:00.000Z')).toBe(false);
    expect(works('2026-03-03T10:00:00.000Z')).toBe(false);
  });

  it('is ignored when it is not enabled', () => {
    const off = { monday: { ...monday.monday, enabled: false } };
    expect(isOnShift(off, 'UTC', at('2026-03-02T10:00:00Z'))).toBe(false);
    expect(readShift(off, 'UTC', at('2026-03-02T10:00:00Z'))).toEqual({ onShift: false, endsAt: null });
  });

  it('continues after midnight when its end is not after its start', () => {
    const night = { monday: shift('22:00', '06:00') };
    expect(isOnShift(night, 'UTC', at('2026-03-02T05:00:00Z'))).toBe(false);
    expect(isOnShift(night, 'UTC', at('2026-03-02T22:00:00Z'))).toBe(true);
    expect(isOnShift(night, 'UTC', at('2026-03-03T05:59:59Z'))).toBe(true);
    expect(isOnShift(night, 'UTC', at('2026-03-03T06:00:00Z'))).toBe(false);
  });

  it('can end at 24:00 and can last a whole day', () => {
    expect(isOnShift({ monday: shift('20:00', '24:00') }, 'UTC', at('2026-03-02T23:59:59Z'))).toBe(true);
    expect(isOnShift({ monday: shift('20:00', '24:00') }, 'UTC', at('2026-03-03T00:00:00Z'))).toBe(false);
    for (const whole of [shift('00:00', '24:00'), shift('00:00', '00:00')]) {
      expect(readShift({ monday: whole }, 'UTC', at('2026-03-02T00:00:00Z'))).toEqual({
        onShift: true,
        endsAt: at('2026-03-03T00:00:00Z'),
      });
      expect(readShift(everyDay(whole), 'UTC', at('2026-03-02T12:00:00Z'))).toEqual({ onShift: true, endsAt: null });
    }
  });

  it('uses the agent’s time zone, including half-hour offsets', () => {
    const early = everyDay(shift('06:00', '07:00'));
    expect(isOnShift(early, 'Asia/Kolkata', at('2026-03-02T00:30:00Z'))).toBe(true);
    expect(isOnShift(early, 'Asia/Kolkata', at('2026-03-02T00:29:00Z'))).toBe(false);
    expect(isOnShift(early, 'Australia/Lord_Howe', at('2026-03-01T19:00:00Z'))).toBe(true);
  });
});

describe('when daylight saving changes', () => {
  const span = (schedule: WorkSchedule, zone: string, from: string, to: string): number => {
    let minutes = 0;
    for (let now = at(from).getTime(); now < at(to).getTime(); now += MINUTE_MS)
      if (isOnShift(schedule, zone, new Date(now))) minutes++;
    return minutes;
  };

  it('a day has 23 or 25 hours', () => {
    const whole = { sunday: shift('00:00', '24:00') };
    expect(span(whole, 'Europe/Warsaw', '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toBe(23 * 60);
    expect(span(whole, 'Europe/Warsaw', '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toBe(25 * 60);
    expect(span(whole, 'Australia/Lord_Howe', '2026-10-03T00:00Z', '2026-10-05T00:00Z')).toBe(23.5 * 60);
  });

  it('a shift whose start is skipped begins at the change, and a repeated hour begins once', () => {
    // 02:00 becomes 03:00.
    expect(readShift({ sunday: shift('02:30', '03:30') }, 'Europe/Warsaw', at('2026-03-29T00:00:00Z'))).toEqual({
      onShift: false,
      endsAt: at('2026-03-29T01:00:00Z'),
    });
    // 03:00 becomes 02:00.
    const { endsAt } = readShift({ sunday: shift('02:30', '04:00') }, 'Europe/Warsaw', at('2026-10-25T00:00:00Z'));
    expect(endsAt).toEqual(at('2026-10-25T00:30:00Z'));
    expect(isOnShift({ sunday: shift('02:30', '04:00') }, 'Europe/Warsaw', at('2026-10-25T01:10:00Z'))).toBe(true);
  });
});

const ZONES = ['UTC', 'Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Cairo'];
const clocks = new Map(ZONES.map((zone) => [zone, wallClock(zone)]));

/** A slow reference implementation: steps through time until the local clock shows this time or a later one. */
const firstMinute = (zone: string, wanted: string): number => {
  const read = clocks.get(zone)!;
  const step = 15 * MINUTE_MS;
  for (let now = Date.parse(`${wanted}Z`) - 26 * HOUR_MS; ; now += step) {
    const { date, time } = read(new Date(now));
    if (`${date}T${time}` >= wanted) return now;
  }
};

const isOnShiftByStepping = (schedule: WorkSchedule, zone: string, moment: Date): boolean =>
  [-2, -1, 0, 1].some((day) => {
    const midnight = new Date(Math.floor(moment.getTime() / (24 * HOUR_MS) + day) * 24 * HOUR_MS);
    const date = (plus: number): string =>
      new Date(midnight.getTime() + plus * 24 * HOUR_MS).toISOString().slice(0, 10);
    const one = schedule[WEEKDAYS[midnight.getUTCDay()]!];
    if (!one?.enabled) return false;
    const until = one.end === '24:00' ? `${date(1)}T00:00:00` : `${date(one.end <= one.start ? 1 : 0)}T${one.end}:00`;
    const begins = firstMinute(zone, `${date(0)}T${one.start}:00`);
    return begins <= moment.getTime() && moment.getTime() < firstMinute(zone, until);
  });

const quarter = fc.integer({ min: 0, max: 95 });
const toTime = (quarters: number): string =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;
const anyShift = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  start: quarter.map(toTime),
  end: fc.integer({ min: 0, max: 96 }).map(toTime),
});
const anySchedule: fc.Arbitrary<WorkSchedule> = fc.record(
  Object.fromEntries(WEEKDAYS.map((name) => [name, anyShift])) as Record<string, typeof anyShift>,
  { requiredKeys: [] },
);
const anyZone = fc.constantFrom(...ZONES);
/** Times near daylight saving changes and others. */
const anyMoment = fc
  .tuple(
    fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-04-24', '2026-10-04', '2026-10-25', '2026-11-01'),
    fc.integer({ min: -36 * 60, max: 36 * 60 }),
  )
  .map(([date, minutes]) => new Date(Date.parse(`${date}T00:00Z`) + minutes * MINUTE_MS));

describe('any schedule', () => {
  it('agrees with the reference implementation', () => {
    fc.assert(
      fc.property(anySchedule, anyZone, anyMoment, (schedule, zone, moment) => {
        expect(isOnShift(schedule, zone, moment)).toBe(isOnShiftByStepping(schedule, zone, moment));
      }),
      { numRuns: 150 },
    );
  });

  it('changes at the returned time and not before', () => {
    fc.assert(
      fc.property(anySchedule, anyZone, anyMoment, (schedule, zone, moment) => {
        const { onShift, endsAt } = readShift(schedule, zone, moment);
        expect(onShift).toBe(isOnShift(schedule, zone, moment));
        const until = endsAt?.getTime() ?? moment.getTime() + 8 * 24 * HOUR_MS;
        if (endsAt) expect(isOnShift(schedule, zone, endsAt)).toBe(!onShift);
        const step = (until - moment.getTime()) / 8;
        for (let now = moment.getTime(); now < until - 1; now += step)
          expect(isOnShift(schedule, zone, new Date(now))).toBe(onShift);
      }),
      { numRuns: 100 },
    );
  });
});
