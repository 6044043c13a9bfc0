import type { LastSigns } from '#server/storage/platform-visits.ts';
import type { OrganizationScope } from '../../scope.ts';
import { holdCustomers } from '../customers/hold-customer.ts';
import { SILENCE_MS } from './current-visit.ts';
import { sayVisitsEnded } from './say-visits.ts';

/**
 * Without a socket for this long the customer has left the site. Another page is sooner there, and another process with a
 * socket of the customer says so every minute.
 */
const GONE_MS = 75_000;

/** A page that was left says so, and the next one is open soon: with the pass that looks, nobody stays for a minute. */
const UNTRACKED_MS = 5_000;

/** Whoever had a socket, or whose page told of itself, is gone without since then; all others are after a long silence. */
export const lastSigns = (now: Date): LastSigns => ({
  untracked: new Date(now.getTime() - UNTRACKED_MS),
  gone: new Date(now.getTime() - GONE_MS),
  silent: new Date(now.getTime() - SILENCE_MS - 1),
});

export interface OpenVisit {
  visitId: string;
  customerId: string;
}

/** Those that are really over; one that somebody writes to now is not. */
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
 * A site may lose all its visitors at once, so many are ended together. Whoever opens another page at the same moment makes
 * one of us wait: the visit goes on, or is told of as another.
 */
export const endVisits = (scope: OrganizationScope, visits: readonly OpenVisit[]): Promise<void> =>
  scope.transaction(async (tx) => {
    await holdCustomers(
      tx,
      visits.map(({ customerId }) => customerId),
    );
    const { gone, silent, untracked } = lastSigns(tx.now());
    const { rows } = await tx.executor.query<{ customerId: string }>({
      text: END,
      values: [tx.organizationId, visits.map(({ visitId }) => visitId), untracked, gone, silent],
    });
    await sayVisitsEnded(
      tx,
      rows.map(({ customerId }) => customerId),
    );
  });
