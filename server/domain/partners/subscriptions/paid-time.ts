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

/** Held until the end of the transaction: whoever else changes it takes the turn as well. */
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
 * Until when a license is paid with the period of a charge. Every payment gives its own time, and none takes another's: what the
 * operator recorded comes after what the subscription pays for, and so does the time before a period that was yet to begin.
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

/** A license that its subscription pays for no longer ends, unless somebody else paid for longer. */
export const endUnpaid = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  const paidUntil = await readPaidUntil(tx);
  const now = tx.now();
  if (!paidUntil || paidUntil <= now) await changePaidLicense(tx, { status: 'expired', paidUntil: paidUntil ?? now });
};
