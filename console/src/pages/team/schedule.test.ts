import { describe, expect, it } from 'vitest';
import { checkWeek, DAYS, readWeek, writeWeek } from './schedule.ts';

describe('work schedule', () => {
  it('has no working days by default', () => {
    const week = readWeek(undefined);
    expect(DAYS.filter((day) => week[day].works)).toEqual([]);
  });

  it('survives writing and reading', () => {
    const week = { ...readWeek(undefined), friday: { works: true, start: '22:00', end: '06:00' } };
    expect(readWeek(writeWeek(week))).toEqual(week);
    expect(writeWeek(week).friday).toEqual({ enabled: 1, start: '22:00', end: '06:00' });
  });

  it('reads 24:00 as midnight', () => {
    const scheduler = writeWeek(readWeek(undefined));
    const week = readWeek({ ...scheduler, monday: { enabled: 1, start: '08:00', end: '24:00' } });
    expect(week.monday).toEqual({ works: true, start: '08:00', end: '00:00' });
  });

  it('requires start and end of a working day', () => {
    const week = readWeek(undefined);
    expect(checkWeek({ ...week, sunday: { works: false, start: '', end: '' } })).toBeUndefined();
    expect(checkWeek({ ...week, sunday: { works: true, start: '09:00', end: '' } })).toBeDefined();
  });
});
