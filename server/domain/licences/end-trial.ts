import { changeStatus } from '../agents/change-status.ts';
import type { OrganizationScope } from '../scope.ts';

/** A trial that is over: everything can still be read, but nobody takes chats any more. */
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
    const accepting = await tx
      .from('agents')
      .where('status', '=', 'accepting chats')
      .where('deletedAt', 'is', null)
      .select('id')
      .execute();
    for (const { id } of accepting)
      await changeStatus(tx, { agentId: id, status: 'not accepting chats', reason: 'licence_ended' });
    tx.emit({ type: 'credentials_changed', organizationId });
  });
