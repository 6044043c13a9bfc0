import type { Executor } from './executor.ts';
import { queryRows, roundRobin } from './platform-timers.ts';

/** Queries for due visits of all owners. */

export interface EndedVisit {
  organizationId: string;
  customerId: string;
  visitId: string;
}

/** A heartbeat of an open page, valid until `until`. */
export interface VisitHeartbeat {
  organizationId: string;
  customerId: string;
  /** The secret of the sending browser. */
  secretHash: Buffer;
  seenAt: Date;
  until: Date;
}

/**
 * Extends the visits of all owners in one statement. Skips ended and inactive visits, banned customers, other browsers, and
 * locked rows. Returns the updated visits.
 */
export const extendVisitTracking = (
  executor: Executor,
  heartbeats: readonly VisitHeartbeat[],
  { now, silent }: { now: Date; silent: Date },
): Promise<{ organizationId: string; customerId: string }[]> =>
  queryRows(
    executor,
    'keep_visits_tracked',
    `update visits v set last_seen_at = greatest(v.last_seen_at, held.seen_at),
       tracked_until = case when held.seen_at >= v.last_seen_at then held.until else v.tracked_until end
     from (
       select v.organization_id, v.id, b.seen_at, b.until
       from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::timestamptz[], $5::timestamptz[])
         as b(organization_id, customer_id, secret_hash, seen_at, until)
       join customers c on c.organization_id = b.organization_id and c.id = b.customer_id
         and c.cookie_secret_hash = b.secret_hash and (c.banned_until is null or c.banned_until <= $6)
       join visits v on v.organization_id = c.organization_id and v.customer_id = c.id and v.number = c.visits_count
         and v.ended_at is null and v.last_seen_at >= $7
       for no key update of v skip locked
     ) held
     where v.organization_id = held.organization_id and v.id = held.id
     returning v.organization_id as "organizationId", v.customer_id as "customerId"`,
    [
      heartbeats.map(({ organizationId }) => organizationId),
      heartbeats.map(({ customerId }) => customerId),
      heartbeats.map(({ secretHash }) => secretHash),
      heartbeats.map(({ seenAt }) => seenAt),
      heartbeats.map(({ until }) => until),
      now,
      silent,
    ],
  );

const MAX_VISITS = 5_000;
const MAX_VISITS_PER_OWNER = 2_000;

/** A visit has ended if its last activity of each kind is before these times. */
export interface VisitEndThresholds {
  untracked: Date;
  gone: Date;
  silent: Date;
}

/** Visits whose page or socket is gone, or that are inactive. Open visits are few enough to check each of them. */
export const findEndedVisits = (
  executor: Executor,
  { untracked, gone, silent }: VisitEndThresholds,
): Promise<EndedVisit[]> =>
  queryRows(
    executor,
    'find_ended_visits',
    roundRobin(
      '"organizationId", "customerId", "visitId"',
      `select v.organization_id as "organizationId", v.customer_id as "customerId", v.id as "visitId",
         greatest(v.last_seen_at, v.online_until, v.tracked_until) as since
       from visits v
       where v.ended_at is null
         and case
           when v.tracked_until >= v.last_seen_at and v.tracked_until >= coalesce(v.online_until, v.tracked_until)
             then v.tracked_until <= $3
           when v.online_until >= v.last_seen_at then v.online_until <= $1
           else v.last_seen_at <= $2 end`,
      MAX_VISITS,
      MAX_VISITS_PER_OWNER,
    ),
    [gone, silent, untracked],
  );
