import type { Grain } from '#server/storage/tables/reports.ts';
import type { Values } from '../chats/read/page-sql.ts';
import type { Bucket } from './buckets.ts';
import { WIDTHS } from './grains.ts';

/** Every bucket begins on a quarter of an hour. */
const FROM_COARSEST = WIDTHS.toReversed();

/** A stretch of time that is read from sums of one grain. */
export interface Span {
  grain: Grain;
  from: Date;
  to: Date;
}

interface Stretch {
  grain: Grain;
  from: number;
  to: number;
}

/** Whatever is whole in the coarsest grain, and the rest around it in the finer ones. */
const split = (from: number, to: number, [coarsest, ...finer] = FROM_COARSEST): Stretch[] => {
  if (from >= to || !coarsest) return [];
  const { grain, milliseconds: width } = coarsest;
  if (finer.length === 0) return [{ grain, from, to }];
  const first = Math.ceil(from / width) * width;
  const last = Math.floor(to / width) * width;
  if (first >= last) return split(from, to, finer);
  return [...split(from, first, finer), { grain, from: first, to: last }, ...split(last, to, finer)];
};

/** As few rows as tell all buckets apart. */
export const spansOf = (buckets: Bucket[]): Span[] => {
  const spans: Stretch[] = [];
  for (const part of buckets.flatMap(({ start, end }) => split(start.getTime(), end.getTime()))) {
    const last = spans.at(-1);
    if (last?.grain === part.grain && last.to === part.from) last.to = part.to;
    else spans.push(part);
  }
  return spans.map(({ grain, from, to }) => ({ grain, from: new Date(from), to: new Date(to) }));
};

/**
 * Sums of these buckets. `sums` selects those of the span `w`, which is done for one after the other, each by an index: PostgreSQL
 * has no idea how short they are, and would rather read all that there is.
 */
export const readSpans = (buckets: Bucket[], { add }: Values, sums: string): string => {
  const spans = spansOf(buckets);
  const grains = add(spans.map(({ grain }) => grain));
  const starts = add(spans.map(({ from }) => from));
  const stops = add(spans.map(({ to }) => to));
  return `select r.* from unnest(${grains}::text[], ${starts}::timestamptz[], ${stops}::timestamptz[]) as w(grain, start, stop)
    cross join lateral (${sums} offset 0) r`;
};
