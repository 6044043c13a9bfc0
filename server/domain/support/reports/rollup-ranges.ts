import type { Resolution } from '#server/storage/tables/reports.ts';
import type { Values } from '../../page-sql.ts';
import type { Bucket } from './buckets.ts';
import { RESOLUTIONS } from './resolutions.ts';

const COARSEST_FIRST = RESOLUTIONS.toReversed();

/** A range of time that is read from rollups of one resolution. */
interface RollupRange {
  resolution: Resolution;
  from: number;
  to: number;
}

/**
 * Covers a range with whole units of the coarsest resolution, and both ends with finer ones. Buckets start on a quarter
 * hour.
 */
const split = (from: number, to: number, [coarsest, ...finer] = COARSEST_FIRST): RollupRange[] => {
  if (from >= to || !coarsest) return [];
  const { resolution, milliseconds: width } = coarsest;
  if (finer.length === 0) return [{ resolution, from, to }];
  const first = Math.ceil(from / width) * width;
  const last = Math.floor(to / width) * width;
  if (first >= last) return split(from, to, finer);
  return [...split(from, first, finer), { resolution, from: first, to: last }, ...split(last, to, finer)];
};

/** The fewest rollups of which none spans two buckets. */
export const listRollupRanges = (buckets: Bucket[]): RollupRange[] => {
  const ranges: RollupRange[] = [];
  for (const part of buckets.flatMap(({ start, end }) => split(start.getTime(), end.getTime()))) {
    const last = ranges.at(-1);
    if (last?.resolution === part.resolution && last.to === part.from) last.to = part.to;
    else ranges.push(part);
  }
  return ranges;
};

/**
 * Selects the rollups of these buckets. `rollups` selects those of the range `w` (resolution, start, stop). The ranges are read
 * one after the other by an index. In a plain join PostgreSQL overestimates their length and scans the whole table.
 */
export const selectRollups = (buckets: Bucket[], { add }: Values, rollups: string): string => {
  const ranges = listRollupRanges(buckets);
  const resolutions = add(ranges.map(({ resolution }) => resolution));
  const starts = add(ranges.map(({ from }) => new Date(from)));
  const stops = add(ranges.map(({ to }) => new Date(to)));
  return `select r.* from unnest(${resolutions}::text[], ${starts}::timestamptz[], ${stops}::timestamptz[]) as w(resolution, start, stop)
    cross join lateral (${rollups} offset 0) r`;
};
