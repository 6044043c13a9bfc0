import type { Values } from '../../page-sql.ts';
import type { Bucket } from './buckets.ts';
import { within } from './read-buckets.ts';

/** Rows that a report counts by the time at which something happened. `$1` is the organization. */
export interface Occurrences {
  /** When it happened. */
  at: string;
  /** The tables with the conditions for all counted rows. */
  from: string;
  /** Distinguishes occurrences within a report, as text. */
  kind: string;
  /** A number to sum up. */
  value: string;
}

/** Selects `at`, `kind` and `value` of the occurrences within the buckets that meet the condition. */
export const selectOccurrences = (
  { at, from, kind, value }: Occurrences,
  buckets: Bucket[],
  values: Values,
  condition: string,
): string =>
  `select ${at} as at, ${kind} as kind, ${value} as value from ${from} and ${within(at, buckets, values)}${condition}`;
