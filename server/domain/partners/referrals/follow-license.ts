import { findLicenseReferrers } from '#server/storage/platform-money.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';

/** Copies the status and the end of a license to its referral, if it has one. */
export const followLicense = async (tx: Transaction<PlatformScope>, organizationId: string): Promise<void> => {
  const found = await findLicenseReferrers(tx.executor, organizationId);
  if (!found) return;
  const { status, trialEndsAt, paidUntil } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['status', 'trialEndsAt', 'paidUntil'])
    .executeTakeFirstOrThrow();
  await enterPartner(tx, found.partnerId)
    .update('referredLicenses')
    .where('organizationId', '=', organizationId)
    .set({ status, endsAt: status === 'trial' ? trialEndsAt : (paidUntil ?? trialEndsAt) })
    .execute();
};
