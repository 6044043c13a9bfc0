import type { QueryResultRow } from 'pg';
import { openValues, type Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type Bucket, firstParts } from './buckets.ts';

export interface BucketQuery {
  /** Aggregates over `s`. */
  columns: string;
  /** Selects `at` and what the columns need; `$1` is the organization. */
  rows: string;
  /** Groups the rows of a bucket further; then a bucket may have several results. */
  by?: string;
}

type InBucket<Sums> = Sums & { bucket: number };

/** The start times of the buckets, as an argument of `width_bucket`. */
export const bucketStarts = (buckets: Bucket[], { add }: Values): string =>
  `${add(buckets.map(({ start }) => start))}::timestamptz[]`;

/**
 * Aggregates rows by bucket in one statement. Buckets are numbered from 1; the first part of a bucket has the result of
 * all parts.
 */
export const readBucketRows = async <Sums extends QueryResultRow>(
  scope: OrganizationScope,
  buckets: Bucket[],
  build: (values: Values) => BucketQuery,
): Promise<InBucket<Sums>[]> => {
  const params = openValues(scope.organizationId);
  const { columns, rows, by } = build(params);
  const firsts = params.add(firstParts(buckets).map((first) => first + 1));
  const text = `select (${firsts}::int[])[width_bucket(s.at, ${bucketStarts(buckets, params)})] as bucket, ${columns}
    from (${rows}) s group by 1${by ? `, ${by}` : ''}`;
  return (await scope.executor.query<InBucket<Sums>>({ text, values: params.values })).rows;
};

/** One result per bucket, in order. */
export const readBuckets = async <Sums extends QueryResultRow>(
  scope: OrganizationScope,
  buckets: Bucket[],
  build: (values: Values) => BucketQuery,
): Promise<(Sums | undefined)[]> => {
  const rows = await readBucketRows<Sums>(scope, buckets, build);
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return buckets.map((_, n) => byBucket.get(n + 1));
};

/** SQL condition: the column is within the period of the buckets. */
export const within = (column: string, buckets: Bucket[], { add }: Values): string =>
  `${column} >= ${add(buckets[0]!.start)} and ${column} < ${add(buckets.at(-1)!.end)}`;

/** Prefixes each given condition with `and`. */
export const andWhere = (...conditions: (string | false | undefined)[]): string =>
  conditions.map((one) => (one ? ` and ${one}` : '')).join('');
