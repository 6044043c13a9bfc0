import type { WorkScheduler } from '#contracts/chat-ops/agents.ts';
import { t } from './t.ts';

/** Weeks start on Monday. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Day = (typeof DAYS)[number];

export interface Shift {
  works: boolean;
  start: string;
  end: string;
}
export type Week = Record<Day, Shift>;

const OFFICE_HOURS: Shift = { works: false, start: '09:00', end: '17:00' };

/** Time inputs do not accept 24:00. An end before its start is on the next day, so 00:00 means the same. */
const readTime = (time: string): string => (time === '24:00' ? '00:00' : time);

/** Without a schedule no day is enabled. */
export const readWeek = (scheduler: WorkScheduler | undefined): Week => {
  const readDay = (day: Day): Shift => {
    const shift = scheduler?.[day];
    return shift
      ? { works: shift.enabled === 1, start: readTime(shift.start), end: readTime(shift.end) }
      : OFFICE_HOURS;
  };
  return Object.fromEntries(DAYS.map((day) => [day, readDay(day)])) as Week;
};

export const writeWeek = (week: Week): WorkScheduler => {
  const days = DAYS.map((day) => {
    const { works, start, end } = week[day];
    return [day, { enabled: works ? 1 : 0, start, end }];
  });
  return Object.fromEntries(days) as WorkScheduler;
};

/** Incomplete time inputs have an empty value. */
export const checkWeek = (week: Week): string | undefined =>
  DAYS.some((day) => week[day].works && (week[day].start === '' || week[day].end === ''))
    ? t('setAStartAndEnd')
    : undefined;
