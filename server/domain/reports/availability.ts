import type { OrganizationScope } from '../scope.ts';
import { readEverybody, readTimes, type Times } from './availability-times.ts';
import type { Bucket } from './buckets.ts';
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
  return sumBuckets(times, buckets);
};
