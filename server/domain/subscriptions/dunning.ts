import { changePaidLicence } from '../licences/change-licence.ts';
import { enterOrganization, enterPartner, type PlatformScope, type Transaction } from '../scope.ts';
import type { ChargeRecord } from './charge.ts';
import { keepPaidTime } from './keep-paid-time.ts';

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
 * Only a renewal leaves something behind: whoever starts or changes was told at once, and nothing changed. The licence works
 * while its renewal is tried again.
 */
export const declineCharge = async (
  tx: Transaction<PlatformScope>,
  { purpose, partnerId, organizationId, amountCents, terms }: ChargeRecord,
  reason: string,
): Promise<void> => {
  if (purpose !== 'renewal') return;
  const partner = enterPartner(tx, partnerId);
  const { failedCharges } = await partner
    .from('subscriptions')
    .where('organizationId', '=', organizationId)
    .select('failedCharges')
    .executeTakeFirstOrThrow();
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
  const inside = enterOrganization(tx, organizationId);
  const changes = nextChargeAt
    ? { paidUntil: await keepPaidTime(inside, new Date(nextChargeAt.getTime() + DAY_MS)) }
    : { status: 'expired' as const, paidUntil: tx.now() };
  await changePaidLicence(inside, changes);
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
