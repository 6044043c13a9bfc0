/** Half-open: `until` is excluded. An absent bound means unlimited. */
export interface DateRange {
  from?: Date | undefined;
  until?: Date | undefined;
}

export interface Span {
  from: Date;
  until: Date;
}

export const DAY_MS = 24 * 3600 * 1000;

const BEGINNING = new Date(0);
const END = new Date(Date.UTC(3000, 0, 2));

export const spanOf = ({ from = BEGINNING, until = END }: DateRange): Span => ({ from, until });

/** Midnight of the day in UTC. */
export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Half-open: `until` is excluded. */
export interface Days {
  from: string;
  until: string;
}

/** The whole days of a span, for which sums exist, and the partial days at both ends. */
export interface CutSpan extends Span {
  days: Days;
  ends: Span[];
  /** The same days split into whole months and the days around them. */
  months?: { whole: Days; around: Days[] };
}

export const cutAtDays = (span: Span): CutSpan => {
  const { from, until } = span;
  const first = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const last = startOfDay(until);
  if (first > last) return { ...span, days: { from: dayOf(first), until: dayOf(first) }, ends: [span] };
  const ends = [
    { from, until: first },
    { from: last, until },
  ].filter((end) => end.from < end.until);
  return { ...span, days: { from: dayOf(first), until: dayOf(last) }, ends };
};

const MONTH = 'YYYY-MM'.length;
const isFirst = (day: string): boolean => day.endsWith('-01');
const firstOf = (day: string): string => `${day.slice(0, MONTH)}-01`;
const following = (day: string): string =>
  dayOf(new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, MONTH)), 1)));

const monthsOf = (days: Days): NonNullable<CutSpan['months']> => {
  const first = isFirst(days.from) ? days.from : following(days.from);
  const last = firstOf(days.until);
  if (first >= last) return { whole: { from: first, until: first }, around: [days] };
  const around = [
    { from: days.from, until: first },
    { from: last, until: days.until },
  ].filter(({ from, until }) => from < until);
  return { whole: { from: first, until: last }, around };
};

/** For queries that need a total only: reading months is cheaper than reading days. */
export const cutAtMonths = (span: Span): CutSpan => {
  const cut = cutAtDays(span);
  return { ...cut, months: monthsOf(cut.days) };
};
