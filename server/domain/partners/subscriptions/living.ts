import type { Selectable } from 'kysely';
import { findLicenseBringers } from '#server/storage/platform-money.ts';
import type { SubscriptionsTable } from '#server/storage/tables/resellers.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';
import type { Paid } from './draft-charges.ts';

export type Subscription = Selectable<SubscriptionsTable>;

/** One that goes on, or would if it could be paid. */
export const livingOf = (subscription: Subscription | undefined): Subscription | undefined =>
  subscription?.status === 'active' || subscription?.status === 'past_due' ? subscription : undefined;

/** The one of a license, whoever resells it. */
export const findLiving = async (
  tx: Transaction<PlatformScope>,
  organizationId: string,
): Promise<Subscription | undefined> => {
  const found = await findLicenseBringers(tx.executor, organizationId);
  if (!found) return undefined;
  return livingOf(
    await enterPartner(tx, found.partnerId)
      .from('subscriptions')
      .where('organizationId', '=', organizationId)
      .selectAll()
      .executeTakeFirst(),
  );
};

export const toPaid = (subscription: Subscription): Paid => ({
  ...subscription,
  period: { startsAt: subscription.periodStartsAt, endsAt: subscription.periodEndsAt },
});
