import { enterPartner, type OrganizationScope, type Transaction } from '../../scope.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { findActiveSubscription } from './active-subscription.ts';

/**
 * The time that a license was blocked is not charged: if the period ended meanwhile, the next one starts now. Time that the
 * operator recorded still follows the period.
 */
export const resumeSubscription = async (tx: Transaction<OrganizationScope>, paidUntil: Date | null): Promise<void> => {
  const { organizationId } = tx;
  const now = tx.now();
  const subscription = await findActiveSubscription(tx, organizationId);
  if (!subscription || subscription.periodEndsAt >= now) return;
  await enterPartner(tx, subscription.partnerId)
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .set({ status: 'active', periodEndsAt: now, nextChargeAt: now, failedCharges: 0 })
    .execute();
  const behind = (paidUntil?.getTime() ?? 0) - subscription.periodEndsAt.getTime();
  if (behind > 0) await changeLicense(tx, { paidUntil: new Date(now.getTime() + behind) });
};

/** Closes the subscription of a license that the operator ends. The reseller may subscribe again. */
export const stopSubscription = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  const { organizationId } = tx;
  const subscription = await findActiveSubscription(tx, organizationId);
  if (!subscription) return;
  await enterPartner(tx, subscription.partnerId)
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .set({ status: 'closed', nextChargeAt: null })
    .execute();
};
