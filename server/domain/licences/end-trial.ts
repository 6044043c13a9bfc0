import type { OrganizationScope } from '../scope.ts';
import { stopAccepting } from './update-organization.ts';

/** A trial that is over. */
export const endTrial = (scope: OrganizationScope): Promise<void> =>
  scope.transaction(async (tx) => {
    const { organizationId } = tx;
    const { numUpdatedRows } = await tx.db
      .updateTable('organizations')
      .where('id', '=', organizationId)
      .where('status', '=', 'trial')
      .where('trialEndsAt', '<=', tx.now())
      .set({ status: 'expired' })
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await stopAccepting(tx);
    tx.emit({ type: 'credentials_changed', organizationId });
  });
