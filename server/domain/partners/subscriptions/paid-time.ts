import { changePaidLicense } from '../../accounts/licenses/change-license.ts';
import { lockOrganization } from '../../organization-lock.ts';
import {
  enterOrganization,
  enterPartner,
  type OrganizationScope,
  type PlatformScope,
  type Transaction,
} from '../../scope.ts';
import type { ChargeRecord } from './records.ts';

/** Stable until the end of the transaction, because every change takes the lock of the organization. */
const readPaidUntil = async (tx: Transaction<OrganizationScope>): Promise<Date | null> => {
  await lockOrganization(tx);
  const { paidUntil } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select('paidUntil')
    .executeTakeFirstOrThrow();
  return paidUntil;
};

/**
 * The end of the paid time with the period of a charge. No payment replaces the time of another: time that the operator recorded
 * comes after the period of the subscription, and so does time before a period that had not started.
 */
export const paidTimeWith = async (
  tx: Transaction<PlatformScope>,
  { partnerId, organizationId, purpose, terms }: ChargeRecord,
): Promise<Date> => {
  const subscription = await enterPartner(tx, partnerId)
    .from('subscriptions')
    .where('organizationId', '=', organizationId)
    .selectAll()
    .executeTakeFirst();
  const paidUntil = await readPaidUntil(enterOrganization(tx, organizationId));
  const startsAt = new Date(terms.periodStartsAt);
  const own = purpose !== 'start' && subscription ? subscription : { periodStartsAt: startsAt, periodEndsAt: startsAt };
  const behind = Math.max(0, (paidUntil?.getTime() ?? 0) - own.periodEndsAt.getTime());
  const before = Math.max(0, own.periodStartsAt.getTime() - startsAt.getTime());
  return new Date(new Date(terms.periodEndsAt).getTime() + before + behind);
};

/** Ends a license without a paying subscription, unless the operator recorded a payment for longer. */
export const endUnpaid = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  const paidUntil = await readPaidUntil(tx);
  const now = tx.now();
  if (!paidUntil || paidUntil <= now) await changePaidLicense(tx, { status: 'expired', paidUntil: paidUntil ?? now });
};
