import { extendVisitTracking, type VisitHeartbeat } from '#server/storage/platform-visits.ts';
import type { OrganizationScope } from '../../scope.ts';
import { TRACKING_TIMEOUT_MS, type VisitorActivity } from './beacons.ts';
import { VISIT_TIMEOUT_MS } from './current-visit.ts';

export const trackedUntil = ({ left, seenAt }: Pick<VisitorActivity, 'left' | 'seenAt'>): Date =>
  left ? seenAt : new Date(seenAt.getTime() + TRACKING_TIMEOUT_MS);

/** Visitors without activity since then start a new visit. */
export const inactiveSince = (now: Date): Date => new Date(now.getTime() - VISIT_TIMEOUT_MS);

export const toHeartbeat = (organizationId: string, activity: VisitorActivity): VisitHeartbeat => {
  const { customerId, secretHash, seenAt } = activity;
  return { organizationId, customerId, secretHash, seenAt, until: trackedUntil(activity) };
};

/**
 * Extends the visits of visitors who only sent heartbeats or left, in one statement. Returns the customers whose visits
 * were extended.
 */
export const extendTracking = async (scope: OrganizationScope, activities: VisitorActivity[]): Promise<Set<string>> => {
  const { executor, organizationId } = scope;
  const heartbeats = activities.map((activity) => toHeartbeat(organizationId, activity));
  const extended = await extendVisitTracking(executor, heartbeats, {
    now: scope.now(),
    silent: inactiveSince(scope.now()),
  });
  return new Set(extended.map(({ customerId }) => customerId));
};
