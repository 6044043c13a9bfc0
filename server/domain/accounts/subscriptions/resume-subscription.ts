import { enterPartner, type OrganizationScope, type Transaction } from '../../scope.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { findActiveSubscription } from './active-subscription.ts';

/**
 * Nobody pays for the time that a license was blocked: where its period ended meanwhile, the next one begins now, and what
 * others paid for comes after it as before.
 */
export const resumeSubscription = async (tx: Transaction<OrganizationScope>, paidUntil: Date | null): Promise<void> => {
  const { organizationId } = tx;
  const now = tx.now();
  const living = await findActiveSubscription(tx, organizationId);
  if (!living || living.periodEndsAt >= now) return;
  await enterPartner(tx, living.partnerId)
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .set({ status: 'active', periodEndsAt: now, nextChargeAt: now, failedCharges: 0 })
    .execute();
  const behind = (paidUntil?.getTime() ?? 0) - living.periodEndsAt.getTime();
  if (behind > 0) await changeLicense(tx, { paidUntil: new Date(now.getTime() + behind) });
};

/** What the operator ends is not charged any more. It may begin anew. */
export const stopSubscription = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  const { organizationId } = tx;
  const living = await findActiveSubscription(tx, organizationId);
  if (!living) return;
  await enterPartner(tx, living.partnerId)
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .set({ status: 'closed', nextChargeAt: null })
    .execute();
};
