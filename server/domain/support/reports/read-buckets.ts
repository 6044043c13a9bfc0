import type { QueryResultRow } from 'pg';
import { openValues, type Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type Bucket, firstParts } from './buckets.ts';

export interface BucketQuery {
  /** What to add up over `s`. */
  columns: string;
  /** A select of `at` and whatever the columns need; `$1` is the organization. */
  rows: string;
  /** Told apart within a bucket; then there may be several answers for one. */
  by?: string;
}

type InBucket<Sums> = Sums & { bucket: number };

/** When the buckets begin, as `width_bucket` takes it. */
export const startsOf = (buckets: Bucket[], { add }: Values): string =>
  `${add(buckets.map(({ start }) => start))}::timestamptz[]`;

/** Everything that lies in the buckets, added up by bucket in one statement. Buckets count from 1; of several parts the first has it all. */
export const readBucketRows = async <Sums extends QueryResultRow>(
  scope: OrganizationScope,
  buckets: Bucket[],
  build: (values: Values) => BucketQuery,
): Promise<InBucket<Sums>[]> => {
  const given = openValues(scope.organizationId);
  const { columns, rows, by } = build(given);
  const firsts = given.add(firstParts(buckets).map((first) => first + 1));
  const text = `select (${firsts}::int[])[width_bucket(s.at, ${startsOf(buckets, given)})] as bucket, ${columns}
    from (${rows}) s group by 1${by ? `, ${by}` : ''}`;
  return (await scope.executor.query<InBucket<Sums>>({ text, values: given.values })).rows;
};

/** One answer for each bucket, in order. */
export const readBuckets = async <Sums extends QueryResultRow>(
  scope: OrganizationScope,
  buckets: Bucket[],
  build: (values: Values) => BucketQuery,
): Promise<(Sums | undefined)[]> => {
  const rows = await readBucketRows<Sums>(scope, buckets, build);
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return buckets.map((_, n) => byBucket.get(n + 1));
};

/** Within all buckets. */
export const within = (column: string, buckets: Bucket[], { add }: Values): string =>
  `${column} >= ${add(buckets[0]!.start)} and ${column} < ${add(buckets.at(-1)!.end)}`;

/** Further conditions, those that were asked for. */
export const also = (...conditions: (string | false | undefined)[]): string =>
  conditions.map((one) => (one ? ` and ${one}` : '')).join('');
