import type { OrganizationScope } from '../scope.ts';
import type { Period } from './period.ts';
import { also, readBuckets, within } from './read-buckets.ts';

/** How long some waited. */
export interface Waits {
  count: number;
  /** Absent when nobody did. */
  milliseconds?: { min: number; max: number; average: number };
}

export interface QueueSums {
  queued: Waits;
  leftQueue: Waits;
  enteredChat: Waits;
}

const KINDS = {
  queued: 'true',
  leftQueue: "s.outcome <> 'assigned'",
  enteredChat: "s.outcome = 'assigned'",
};

type Row = Record<`${keyof typeof KINDS}_${'count' | 'min' | 'max' | 'sum'}`, number | null>;

const COLUMNS = Object.entries(KINDS)
  .flatMap(([name, condition]) => [
    `count(*) filter (where ${condition})::int as "${name}_count"`,
    ...['min', 'max', 'sum'].map((fn) => `${fn}(s.ms) filter (where ${condition})::bigint as "${name}_${fn}"`),
  ])
  .join(', ');

const toWaits = (row: Row | undefined, name: keyof typeof KINDS): Waits => {
  const count = row?.[`${name}_count`];
  if (!row || !count) return { count: 0 };
  const milliseconds = { min: row[`${name}_min`]!, max: row[`${name}_max`]!, average: row[`${name}_sum`]! / count };
  return { count, milliseconds };
};

/** Stays in the queue that are over, by when they began. */
export const sumQueue = async (
  scope: OrganizationScope,
  { buckets }: Period,
  { groupId }: { groupId?: number | undefined },
): Promise<QueueSums[]> => {
  const found = await readBuckets<Row>(scope, buckets, (values) => ({
    columns: COLUMNS,
    rows: `select q.entered_at as at, q.outcome, (extract(epoch from q.left_at - q.entered_at) * 1000)::bigint as ms
      from queue_stays q
      where q.organization_id = $1 and q.left_at is not null and ${within('q.entered_at', buckets, values)}${also(
        groupId !== undefined && `q.group_ids @> array[${values.add(groupId)}::int]`,
      )}`,
  }));
  return found.map((row) => ({
    queued: toWaits(row, 'queued'),
    leftQueue: toWaits(row, 'leftQueue'),
    enteredChat: toWaits(row, 'enteredChat'),
  }));
};
