import type { OrganizationScope } from '../scope.ts';
import { type Sighting, TRACKED_MS } from './beacons.ts';
import { SILENCE_MS, type VisitRow } from './current-visit.ts';

export const trackedUntil = ({ left, seenAt }: Pick<Sighting, 'left' | 'seenAt'>): Date =>
  left ? seenAt : new Date(seenAt.getTime() + TRACKED_MS);

const KEEP = `
update visits v set last_seen_at = greatest(v.last_seen_at, b.seen_at), tracked_until = b.until
from unnest($2::uuid[], $3::bytea[], $4::timestamptz[], $5::timestamptz[]) as b(customer_id, secret_hash, seen_at, until)
join customers c on c.organization_id = $1 and c.id = b.customer_id and c.cookie_secret_hash = b.secret_hash
where v.organization_id = $1 and v.customer_id = b.customer_id and v.number = c.visits_count
  and v.ended_at is null and v.last_seen_at >= $6 and (c.banned_until is null or c.banned_until <= $7)
returning v.id, v.customer_id as "customerId", v.number, v.group_id as "groupId", v.started_at as "startedAt",
  v.last_seen_at as "lastSeenAt", v.online_until as "onlineUntil", v.referrer, v.user_agent as "userAgent",
  v.page_count as "pageCount", v.ip, v.ended_at as "endedAt", v.tracked_until as "trackedUntil", v.language, v.timezone,
  v.place`;

/** Visitors of whom nothing is new but that they are still there, or are gone: one statement, and nothing follows from it. */
export const keepTracked = (scope: OrganizationScope, sightings: Sighting[]): Promise<VisitRow[]> =>
  scope.transaction(async (tx) => {
    const now = tx.now();
    const { rows } = await tx.executor.query<VisitRow>({
      name: 'keep_tracked',
      text: KEEP,
      values: [
        tx.organizationId,
        sightings.map(({ customerId }) => customerId),
        sightings.map(({ secretHash }) => secretHash),
        sightings.map(({ seenAt }) => seenAt),
        sightings.map(trackedUntil),
        new Date(now.getTime() - SILENCE_MS),
        now,
      ],
    });
    return rows;
  });
