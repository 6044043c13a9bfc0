import type { WorkScheduler } from '#contracts/chat-ops/agents.ts';
import { t } from './t.ts';

/** As people in most places count the days. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Day = (typeof DAYS)[number];

export interface Shift {
  works: boolean;
  start: string;
  end: string;
}
export type Week = Record<Day, Shift>;

const OFFICE_HOURS: Shift = { works: false, start: '09:00', end: '17:00' };

/** A field for a time knows no 24:00. An end that is not after its start is on the next day, so midnight is the same. */
const readTime = (time: string): string => (time === '24:00' ? '00:00' : time);

/** Without a schedule an agent alone says when it works: no day is marked then. */
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

/** A time field that is not filled in yet is empty. */
export const checkWeek = (week: Week): string | undefined =>
  DAYS.some((day) => week[day].works && (week[day].start === '' || week[day].end === ''))
    ? t('setAStartAndEnd')
    : undefined;
