import { hasActiveSubscription } from '#server/storage/platform-resellers.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';

/** A trial that is over, or a license that nobody paid on for. One that was never paid for and set going stays, and so does one with a subscription. */
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
    await tx.emitAccountEvent({ type: 'license_status_changed', organizationId, status: 'expired' });
    tx.emit({ type: 'credentials_changed', organizationId });
  });
