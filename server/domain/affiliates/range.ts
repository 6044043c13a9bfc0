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

/** Whole days, which sums exist of, and what is left at both ends. */
export interface CutSpan extends Span {
  /** Half-open like the span; the same day twice is no day. */
  days: { from: string; until: string };
  ends: Span[];
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
