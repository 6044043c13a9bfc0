import { keepVisitsTracked, type TrackedSign } from '#server/storage/platform-visits.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type Sighting, TRACKED_MS } from './beacons.ts';
import { SILENCE_MS } from './current-visit.ts';

export const trackedUntil = ({ left, seenAt }: Pick<Sighting, 'left' | 'seenAt'>): Date =>
  left ? seenAt : new Date(seenAt.getTime() + TRACKED_MS);

/** Whoever was not heard of since then begins another visit. */
export const silentSince = (now: Date): Date => new Date(now.getTime() - SILENCE_MS);

export const signOf = (organizationId: string, sighting: Sighting): TrackedSign => {
  const { customerId, secretHash, seenAt } = sighting;
  return { organizationId, customerId, secretHash, seenAt, until: trackedUntil(sighting) };
};

/** Visitors of whom nothing is new but that they are still there, or are gone: one statement, and nothing follows from it. */
export const keepTracked = async (scope: OrganizationScope, sightings: Sighting[]): Promise<Set<string>> => {
  const { executor, organizationId } = scope;
  const signs = sightings.map((sighting) => signOf(organizationId, sighting));
  const kept = await keepVisitsTracked(executor, signs, { now: scope.now(), silent: silentSince(scope.now()) });
  return new Set(kept.map(({ customerId }) => customerId));
};
