import { findLicenceBringers } from '#server/storage/platform-money.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../scope.ts';

/** Nobody pays for the time that a licence was blocked: where its period ended meanwhile, the next one begins now. */
export const resumeSubscription = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<void> => {
  const found = await findLicenceBringers(tx.executor, organizationId);
  if (!found) return;
  const now = tx.now();
  await enterPartner(tx, found.partnerId)
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .where('status', 'in', ['active', 'past_due'])
    .where('periodEndsAt', '<', now)
    .set({ status: 'active', periodEndsAt: now, nextChargeAt: now, failedCharges: 0 })
    .execute();
};
