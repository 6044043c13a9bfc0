import { sql } from 'kysely';
import type { LastSigns } from '#server/storage/platform-timers.ts';
import { holdCustomer } from '../customers/hold-customer.ts';
import type { OrganizationScope } from '../scope.ts';
import { SILENCE_MS } from './current-visit.ts';
import { sayVisitEnded } from './say-visits.ts';

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

/** Whoever opens another page at the same moment makes one of us wait: the visit goes on, or is told of as another. */
export const endVisit = (
  scope: OrganizationScope,
  { visitId, customerId }: { visitId: string; customerId: string },
): Promise<void> =>
  scope.transaction(async (tx) => {
    await holdCustomer(tx, customerId);
    const { gone, silent, untracked } = lastSigns(tx.now());
    const { numUpdatedRows } = await tx
      .update('visits')
      .where('id', '=', visitId)
      .where('endedAt', 'is', null)
      .where(
        sql<boolean>`case
          when tracked_until >= last_seen_at and tracked_until >= coalesce(online_until, tracked_until)
            then tracked_until <= ${untracked}
          when online_until >= last_seen_at then online_until <= ${gone}
          else last_seen_at <= ${silent} end`,
      )
      .set({ endedAt: sql<Date>`greatest(last_seen_at, online_until)` })
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await sayVisitEnded(tx, customerId);
  });
