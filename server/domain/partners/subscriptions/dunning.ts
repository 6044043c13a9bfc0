import { lockLicense } from '../../accounts/licenses/lock-license.ts';
import { findActiveSubscription } from '../../accounts/subscriptions/active-subscription.ts';
import { lockOrganization } from '../../organization-lock.ts';
import { enterOrganization, enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';
import { endUnpaid } from './paid-time.ts';
import type { ChargeRecord } from './records.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Failed renewals are retried on day 1, 3, 5 and 7; then the subscription ends. */
const RETRY_DELAYS_DAYS = [1, 2, 2, 2];
const LAST_TRY_MS = RETRY_DELAYS_DAYS.reduce((sum, days) => sum + days, 0) * DAY_MS;

/** Without a next attempt the subscription closes, and the license ends unless it is paid otherwise. */
const failRenewal = async (
  tx: Transaction<PlatformScope>,
  { partnerId, organizationId, amountCents, terms }: ChargeRecord,
  { reason, failedCharges, nextChargeAt }: { reason: string; failedCharges: number; nextChargeAt?: Date | undefined },
): Promise<void> => {
  const partner = enterPartner(tx, partnerId);
  await partner
    .update('subscriptions')
    .where('organizationId', '=', organizationId)
    .set({
      status: nextChargeAt ? 'past_due' : 'closed',
      failedCharges,
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
    .from('resellerLicenses')
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

/**
 * Only a declined renewal has consequences: for a new or changed subscription, or a new card before the next attempt, the caller
 * gets the error and nothing changes. The license works while its renewal is retried.
 */
export const declineCharge = async (
  tx: Transaction<PlatformScope>,
  charge: ChargeRecord,
  reason: string,
): Promise<void> => {
  if (charge.purpose !== 'renewal') return;
  const subscription = await findActiveSubscription(tx, charge.organizationId);
  if (!subscription || (subscription.nextChargeAt && subscription.nextChargeAt > tx.now())) return;
  const wait = RETRY_DELAYS_DAYS[subscription.failedCharges];
  const nextChargeAt = wait === undefined ? undefined : new Date(tx.now().getTime() + wait * DAY_MS);
  await failRenewal(tx, charge, { reason, failedCharges: subscription.failedCharges + 1, nextChargeAt });
};

/**
 * A charge without a known result keeps a license active no longer than a failed one. It stays open, so that the license is not
 * charged again until the result is known.
 */
export const stopWaitingForCharge = async (tx: Transaction<PlatformScope>, charge: ChargeRecord): Promise<void> => {
  const inside = enterOrganization(tx, charge.organizationId);
  await lockOrganization(inside);
  const { status } = await lockLicense(tx, charge.organizationId);
  const subscription = await findActiveSubscription(tx, charge.organizationId);
  const longAgo = new Date(tx.now().getTime() - LAST_TRY_MS);
  if (!subscription || subscription.periodEndsAt > longAgo || charge.createdAt > longAgo || status === 'blocked')
    return;
  const reason = 'The payment provider did not confirm the payment';
  await failRenewal(tx, charge, { reason, failedCharges: subscription.failedCharges });
};
