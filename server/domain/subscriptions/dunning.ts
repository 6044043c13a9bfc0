import { enterOrganization, enterPartner, type PlatformScope, type Transaction } from '../scope.ts';
import type { ChargeRecord } from './charge.ts';
import { endUnpaid } from './paid-time.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Asked again on the first, third, fifth and seventh day; then it is over. */
const WAITS_DAYS = [1, 2, 2, 2];

/** What a reseller is told when a renewal failed. */
export interface FailedRenewal {
  to: { name: string; address: string };
  clientName: string;
  reason: string;
  card: string;
  amountCents: number;
  /** Absent: it was the last time. */
  nextChargeAt?: Date;
}

/**
 * Only a renewal leaves something behind: whoever starts or changes was told at once, and nothing changed; and so was whoever
 * gave another card before the next try. The licence works while its renewal is tried again.
 */
export const declineCharge = async (
  tx: Transaction<PlatformScope>,
  { purpose, partnerId, organizationId, amountCents, terms }: ChargeRecord,
  reason: string,
): Promise<void> => {
  if (purpose !== 'renewal') return;
  const partner = enterPartner(tx, partnerId);
  const { failedCharges, ...due } = await partner
    .from('subscriptions')
    .where('organizationId', '=', organizationId)
    .select(['failedCharges', 'nextChargeAt'])
    .executeTakeFirstOrThrow();
  if (due.nextChargeAt && due.nextChargeAt > tx.now()) return;
  const wait = WAITS_DAYS[failedCharges];
  const nextChargeAt = wait === undefined ? undefined : new Date(tx.now().getTime() + wait * DAY_MS);
  await partner
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .set({
      status: nextChargeAt ? 'past_due' : 'closed',
      failedCharges: failedCharges + 1,
      nextChargeAt: nextChargeAt ?? null,
    })
    .execute();
  if (!nextChargeAt) await endUnpaid(enterOrganization(tx, organizationId));
  const { contactName, contactEmail } = await tx.db
    .selectFrom('partners')
    .where('id', '=', partnerId)
    .select(['contactName', 'contactEmail'])
    .executeTakeFirstOrThrow();
  const { clientName } = await partner
    .from('resellerLicences')
    .where('organizationId', '=', organizationId)
    .select('clientName')
    .executeTakeFirstOrThrow();
  tx.emit({
    type: 'renewal_failed',
    partnerId,
    renewal: {
      to: { name: contactName, address: contactEmail },
      ...{ clientName, reason, card: terms.card, amountCents },
      ...(nextChargeAt ? { nextChargeAt } : {}),
    },
  });
};
