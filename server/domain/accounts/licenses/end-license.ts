import { hasActiveSubscription } from '#server/storage/platform-resellers.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';

/**
 * Ends a license whose trial or paid time is over. A license that the operator activated without a payment does not end, nor does
 * one with an active subscription.
 */
export const endLicense = (scope: OrganizationScope): Promise<void> =>
  scope.transaction(async (tx) => {
    const { organizationId } = tx;
    await lockOrganization(tx);
    if (await hasActiveSubscription(tx.executor, organizationId)) return;
    const now = tx.now();
    const { numUpdatedRows } = await tx.db
      .updateTable('organizations')
      .where('id', '=', organizationId)
      .where((eb) =>
        eb.or([
          eb.and([eb('status', '=', 'trial'), eb('trialEndsAt', '<=', now)]),
          eb.and([eb('status', '=', 'active'), eb('paidUntil', '<=', now)]),
        ]),
      )
      .set({ status: 'expired' })
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await tx.emitAccountEvent({ type: 'license_changed', organizationId, status: 'expired' });
    tx.emit({ type: 'credentials_changed', organizationId });
  });
