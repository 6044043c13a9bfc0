import type { Values } from '../chats/read/page-sql.ts';
import type { Bucket } from './buckets.ts';
import { startsOf, within } from './read-buckets.ts';
import { readSpans } from './spans.ts';

/** Something that happens, and how it is counted. `$1` is the organization. */
export interface Source {
  measure: string;
  /** When it happened. */
  at: string;
  /** Tables and what holds for all that is counted. */
  from: string;
  /** Told apart, as text; `''` when there is nothing to tell. */
  kind: string;
  /** A number that is added up. */
  value: string;
}

/** As it is read: at, kind, count, sum, lowest, highest. */
const eachOf = ({ at, from, kind, value }: Source, buckets: Bucket[], values: Values, condition: string): string =>
  `select o.at, o.kind, 1 as count, o.value as sum, o.value as lowest, o.value as highest from (
     select ${at} as at, ${kind} as kind, ${value} as value from ${from} and ${within(at, buckets, values)}${condition}) o`;

/** One of each kind for each bucket: what is told apart further is told apart of few. */
const summed = ({ measure }: Source, buckets: Bucket[], values: Values): string => {
  const tallies = readSpans(
    buckets,
    values,
    `select t.at, t.kind, t.count, t.sum, t.lowest, t.highest from tallies t
     where t.organization_id = $1 and t.measure = '${measure}' and t.grain = w.grain and t.at >= w.start and t.at < w.stop`,
  );
  return `select min(o.at) as at, o.kind, sum(o.count) as count, sum(o.sum) as sum, min(o.lowest) as lowest, max(o.highest) as highest
    from (${tallies}) o group by width_bucket(o.at, ${startsOf(buckets, values)}), o.kind`;
};

/** What happened in the buckets: summed up where all of it is meant, else each by itself that a condition lets through. */
export const happened = (source: Source, buckets: Bucket[], values: Values, condition: string): string =>
  condition === '' ? summed(source, buckets, values) : eachOf(source, buckets, values, condition);
