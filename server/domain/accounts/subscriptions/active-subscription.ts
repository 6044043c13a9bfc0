import type { Selectable } from 'kysely';
import { findLicenseReferrers } from '#server/storage/platform-money.ts';
import type { SubscriptionsTable } from '#server/storage/tables/resellers.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';

export type Subscription = Selectable<SubscriptionsTable>;

/** Returns the subscription if it is active or past due. */
export const asActive = (subscription: Subscription | undefined): Subscription | undefined =>
  subscription?.status === 'active' || subscription?.status === 'past_due' ? subscription : undefined;

/** The active subscription of a license, whichever reseller pays it. */
export const findActiveSubscription = async (
  tx: Transaction<PlatformScope>,
  organizationId: string,
): Promise<Subscription | undefined> => {
  const found = await findLicenseReferrers(tx.executor, organizationId);
  if (!found) return undefined;
  return asActive(
    await enterPartner(tx, found.partnerId)
      .from('subscriptions')
      .where('organizationId', '=', organizationId)
      .selectAll()
      .executeTakeFirst(),
  );
};
