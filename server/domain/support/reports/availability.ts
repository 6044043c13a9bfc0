import type { OrganizationScope } from '../../scope.ts';
import { readEverybody, readTimes, type Times } from './availability-times.ts';
import { type Bucket, firstParts } from './buckets.ts';
import type { Period } from './period.ts';

export interface AvailabilityFilters {
  groupId?: number | undefined;
  agentId?: string | undefined;
}

/** Group 0 is everybody. */
const ALL_AGENTS = 0;

const sumBuckets = (times: Times[], buckets: Bucket[]): number[] => {
  let next = 0;
  return buckets.map((bucket) => {
    let sum = 0;
    while (next < times.length && times[next]!.stop <= bucket.start) next++;
    for (let n = next; n < times.length && times[n]!.start < bucket.end; n++) {
      const [start, stop] = [times[n]!.start.getTime(), times[n]!.stop.getTime()];
      sum += Math.min(stop, bucket.end.getTime()) - Math.max(start, bucket.start.getTime());
    }
    return sum;
  });
};

/** What lies in a later part of a bucket is told with the first. */
const joinParts = (sums: number[], buckets: Bucket[]): number[] => {
  const joined = sums.map(() => 0);
  for (const [n, first] of firstParts(buckets).entries()) joined[first]! += sums[n]!;
  return joined;
};

/** How long somebody took chats in each bucket, in milliseconds; not longer than until now. */
export const sumAvailability = async (
  scope: OrganizationScope,
  { buckets, from, to }: Period,
  { groupId, agentId }: AvailabilityFilters,
): Promise<number[]> => {
  const { executor, organizationId } = scope;
  const end = new Date(Math.min(to.getTime(), scope.now().getTime()));
  if (end <= from) return buckets.map(() => 0);
  const group = groupId === ALL_AGENTS ? undefined : groupId;
  const times =
    group === undefined && agentId === undefined
      ? await readEverybody(scope, from, end)
      : await readTimes(executor, organizationId, { from, to: end, agentId, groupId: group });
  return joinParts(sumBuckets(times, buckets), buckets);
};
