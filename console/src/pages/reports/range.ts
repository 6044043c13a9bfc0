import { dayOf } from '../../design/filter-values.ts';
import { t } from './t.ts';

/** Days as `YYYY-MM-DD`, inclusive. */
export interface Range {
  from: string;
  to: string;
}

export const PRESETS = {
  today: t('today'),
  yesterday: t('yesterday'),
  week: t('last7Days'),
  fortnight: t('last14Days'),
  thirty: t('last30Days'),
  month: t('thisMonth'),
  'last-month': t('lastMonth'),
  quarter: t('last90Days'),
  year: t('last12Months'),
} as const;
export type Preset = keyof typeof PRESETS;
export const DEFAULT_PRESET: Preset = 'week';

/** Today in the time zone of the report. */
export const todayIn = (timeZone: string | undefined, now = new Date()): string => {
  // The Swedish locale formats dates as YYYY-MM-DD.
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
  } catch {
    return new Intl.DateTimeFormat('sv-SE').format(now);
  }
};

/** Calculates in UTC, which has no clock changes. */
const move = (day: string, { days = 0, months = 0 }: { days?: number; months?: number }): string => {
  const date = new Date(`${day}T00:00:00Z`);
  if (months !== 0) date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

const back =
  (days: number) =>
  (today: string): Range => ({ from: move(today, { days: -days }), to: today });

const RANGES: Record<Preset, (today: string) => Range> = {
  today: back(0),
  yesterday: (today) => ({ from: move(today, { days: -1 }), to: move(today, { days: -1 }) }),
  week: back(6),
  fortnight: back(13),
  thirty: back(29),
  month: (today) => ({ from: firstOfMonth(today), to: today }),
  'last-month': (today) => ({
    from: move(firstOfMonth(today), { months: -1 }),
    to: move(firstOfMonth(today), { days: -1 }),
  }),
  quarter: back(89),
  year: (today) => ({ from: move(firstOfMonth(today), { months: -11 }), to: today }),
};

export const isPreset = (name: string | undefined): name is Preset => name !== undefined && name in PRESETS;

/** Resolves a preset or a custom range; missing parts come from the default. */
export const readRange = (
  { range, from, to }: { range?: string | undefined; from?: string | undefined; to?: string | undefined },
  today: string,
): Range => {
  if (range === 'custom') {
    const fallback = RANGES[DEFAULT_PRESET](today);
    return {
      from: dayOf(from) ?? fallback.from,
      to: dayOf(to) ?? fallback.to,
    };
  }
  return RANGES[isPreset(range) ? range : DEFAULT_PRESET](today);
};
