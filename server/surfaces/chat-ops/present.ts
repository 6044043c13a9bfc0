import type { WallClock } from '#server/domain/time-zones.ts';

export const toFlag = (value: boolean | undefined): 0 | 1 => (value ? 1 : 0);

export const toUnixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** `Wed, 01/23/13 11:40:53 am` */
export const toDateText = (clock: WallClock, instant: Date): string => {
  const { date, time, weekday } = clock(instant);
  const [year, month, day] = date.split('-');
  const hour = Number(time.slice(0, 2));
  const twelve = String(hour % 12 || 12).padStart(2, '0');
  return `${weekday}, ${month}/${day}/${year!.slice(-2)} ${twelve}${time.slice(2)} ${hour < 12 ? 'am' : 'pm'}`;
};

export const readFlag = (flag: 0 | 1 | undefined): boolean | undefined => (flag === undefined ? undefined : flag === 1);

/** A form can send an empty list only as one empty item. */
export const dropEmpty = <T extends string | number>(items: (T | '')[]): T[] =>
  items.filter((item): item is T => String(item).trim() !== '');
