import type { VisitEndThresholds } from '#server/storage/platform-visits.ts';
import type { OrganizationScope } from '../../scope.ts';
import { lockCustomers } from '../customers/lock-customer.ts';
import { announceVisitsEnded } from './announce-visits.ts';
import { VISIT_TIMEOUT_MS } from './current-visit.ts';

/**
 * After this long without a socket, the customer has left the site. Other processes extend their sockets every minute,
 * and another page opens sooner.
 */
const DISCONNECTED_MS = 75_000;

/** Pages report when they are left, and the next page opens soon after. */
const UNTRACKED_MS = 5_000;

/** Visits end some time after the last socket or tracked page; all others after the visit timeout. */
export const visitEndThresholds = (now: Date): VisitEndThresholds => ({
  untracked: new Date(now.getTime() - UNTRACKED_MS),
  gone: new Date(now.getTime() - DISCONNECTED_MS),
  silent: new Date(now.getTime() - VISIT_TIMEOUT_MS - 1),
});

export interface OpenVisit {
  visitId: string;
  customerId: string;
}

/** Checks again that the visits have timed out; rows that are being written are skipped. */
const END = `
update visits v set ended_at = greatest(v.last_seen_at, v.online_until)
from (
  select o.id from visits o
  where o.organization_id = $1 and o.id = any($2::uuid[]) and o.ended_at is null
    and case
      when o.tracked_until >= o.last_seen_at and o.tracked_until >= coalesce(o.online_until, o.tracked_until)
        then o.tracked_until <= $3
      when o.online_until >= o.last_seen_at then o.online_until <= $4
      else o.last_seen_at <= $5 end
  for no key update skip locked
) over
where v.organization_id = $1 and v.id = over.id
returning v.customer_id as "customerId"`;

/**
 * Ends many visits together, since a site may lose all its visitors at the same time. The customer locks decide whether
 * a page opened concurrently continues the visit or starts another.
 */
export const endVisits = (scope: OrganizationScope, visits: readonly OpenVisit[]): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockCustomers(
      tx,
      visits.map(({ customerId }) => customerId),
    );
    const { gone, silent, untracked } = visitEndThresholds(tx.now());
    const { rows } = await tx.executor.query<{ customerId: string }>({
      text: END,
      values: [tx.organizationId, visits.map(({ visitId }) => visitId), untracked, gone, silent],
    });
    await announceVisitsEnded(
      tx,
      rows.map(({ customerId }) => customerId),
    );
  });
