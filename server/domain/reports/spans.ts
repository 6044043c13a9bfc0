import type { Bucket } from './buckets.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A stretch of time that is read from sums of one grain. */
export interface Span {
  grain: 'q' | 'd';
  from: Date;
  to: Date;
}

const splitBucket = ({ start, end }: Bucket): { grain: 'q' | 'd'; from: number; to: number }[] => {
  const [from, to] = [start.getTime(), end.getTime()];
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const lastDay = Math.floor(to / DAY_MS) * DAY_MS;
  if (firstDay >= lastDay) return [{ grain: 'q', from, to }];
  return [
    { grain: 'q', from, to: firstDay },
    { grain: 'd', from: firstDay, to: lastDay },
    { grain: 'q', from: lastDay, to },
  ];
};

/** As few rows as tell all buckets apart: whole days of UTC that lie within one bucket, and quarters of an hour around them. */
export const spansOf = (buckets: Bucket[]): Span[] => {
  const spans: { grain: 'q' | 'd'; from: number; to: number }[] = [];
  for (const part of buckets.flatMap(splitBucket)) {
    if (part.from === part.to) continue;
    const last = spans.at(-1);
    if (last?.grain === part.grain && last.to === part.from) last.to = part.to;
    else spans.push(part);
  }
  return spans.map(({ grain, from, to }) => ({ grain, from: new Date(from), to: new Date(to) }));
};
