import type { OrganizationScope } from '../../scope.ts';
import { readAgentTimes, readAllAgentTimes, type TimeRange } from './availability-times.ts';
import { type Bucket, firstParts } from './buckets.ts';
import type { Period } from './period.ts';

export interface AvailabilityFilters {
  groupId?: number | undefined;
  agentId?: string | undefined;
}

/** Group 0 contains all agents. */
const ALL_AGENTS = 0;

const sumBuckets = (times: TimeRange[], buckets: Bucket[]): number[] => {
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

/** Adds the sums of the later parts of a bucket to its first part. */
const joinParts = (sums: number[], buckets: Bucket[]): number[] => {
  const joined = sums.map(() => 0);
  for (const [n, first] of firstParts(buckets).entries()) joined[first]! += sums[n]!;
  return joined;
};

/** How long at least one agent was accepting chats in each bucket, in milliseconds. The future is not counted. */
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
      ? await readAllAgentTimes(scope, from, end)
      : await readAgentTimes(executor, organizationId, { from, to: end, agentId, groupId: group });
  return joinParts(sumBuckets(times, buckets), buckets);
};
