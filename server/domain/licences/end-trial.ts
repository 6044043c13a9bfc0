import { stopAccepting } from '../agents/stop-accepting.ts';
import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope } from '../scope.ts';

/** A trial that is over. */
export const endTrial = (scope: OrganizationScope): Promise<void> =>
  scope.transaction(async (tx) => {
    const { organizationId } = tx;
    await takeTurn(tx);
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
