/** Half-open: what happens at `until` belongs to the next one. What is absent has no end. */
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

/** The first moment of its day, UTC. */
export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Half-open like a span; the same day twice is no day. */
export interface Days {
  from: string;
  until: string;
}

/** Whole days, which sums exist of, and what is left at both ends. */
export interface CutSpan extends Span {
  days: Days;
  ends: Span[];
  /** The same days as whole months and those around them, where nobody needs to tell one day from another. */
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

/** Months are fewer than days: for what adds them all up anyway. */
export const cutAtMonths = (span: Span): CutSpan => {
  const cut = cutAtDays(span);
  return { ...cut, months: monthsOf(cut.days) };
};
