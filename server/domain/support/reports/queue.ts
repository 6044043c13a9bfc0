import type { OrganizationScope } from '../../scope.ts';
import type { Period } from './period.ts';
import { andWhere, readBuckets } from './read-buckets.ts';
import { type Occurrences, selectOccurrences } from './select-occurrences.ts';

/** The number of waits and their duration. */
export interface Waits {
  count: number;
  /** Absent if there were none. */
  milliseconds?: { min: number; max: number; average: number };
}

export interface QueueSums {
  queued: Waits;
  leftQueue: Waits;
  enteredChat: Waits;
}

/** Finished waits in the queue, by their start. */
const queueEntries: Occurrences = {
  at: 'q.entered_at',
  from: 'queue_entries q where q.organization_id = $1 and q.left_at is not null',
  kind: 'q.outcome',
  value: '(extract(epoch from q.left_at - q.entered_at) * 1000)::bigint',
};

const KINDS = {
  queued: 'true',
  leftQueue: "s.kind <> 'assigned'",
  enteredChat: "s.kind = 'assigned'",
};

type Row = Record<`${keyof typeof KINDS}_${'count' | 'min' | 'max' | 'sum'}`, number | null>;

const COLUMNS = Object.entries(KINDS)
  .flatMap(([name, condition]) =>
    ['count(*)', 'sum(s.value)', 'min(s.value)', 'max(s.value)'].map((sum, n) => {
      const of = ['count', 'sum', 'min', 'max'][n];
      return `${sum} filter (where ${condition})::float8 as "${name}_${of}"`;
    }),
  )
  .join(', ');

const toWaits = (row: Row | undefined, name: keyof typeof KINDS): Waits => {
  const count = row?.[`${name}_count`];
  if (!row || !count) return { count: 0 };
  const milliseconds = { min: row[`${name}_min`]!, max: row[`${name}_max`]!, average: row[`${name}_sum`]! / count };
  return { count, milliseconds };
};

export const sumQueue = async (
  scope: OrganizationScope,
  { buckets }: Period,
  { groupId }: { groupId?: number | undefined },
): Promise<QueueSums[]> => {
  const found = await readBuckets<Row>(scope, buckets, (values) => {
    const ofGroup = andWhere(groupId !== undefined && `q.group_ids @> array[${values.add(groupId)}::int]`);
    return { columns: COLUMNS, rows: selectOccurrences(queueEntries, buckets, values, ofGroup) };
  });
  return found.map((row) => ({
    queued: toWaits(row, 'queued'),
    leftQueue: toWaits(row, 'leftQueue'),
    enteredChat: toWaits(row, 'enteredChat'),
  }));
};
