import { sql } from 'kysely';
import { findLicenseReferrers } from '#server/storage/platform-money.ts';
import type { PaymentRecord } from '../../accounts/payments/find-payment.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';

/** The earliest payment is the conversion, in whichever order payments are recorded. A payment of zero does not convert. */
export const markConverted = async (
  tx: Transaction<PlatformScope>,
  { organizationId, amountCents, paidAt }: PaymentRecord,
): Promise<void> => {
  if (amountCents === 0) return;
  const found = await findLicenseReferrers(tx.executor, organizationId);
  if (!found) return;
  const partner = enterPartner(tx, found.partnerId);
  await partner
    .update('referredLicenses')
    .where('organizationId', '=', organizationId)
    .set({
      convertedAt: sql`least(converted_at, ${paidAt})`,
      cardAddedAt: sql`least(card_added_at, ${paidAt})`,
    })
    .execute();
  await enqueueProjection(partner, 'partner_performance', [organizationId]);
};
