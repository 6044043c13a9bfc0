import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { withRerouting } from '../../routing/reroute.ts';
import { announceStatuses } from './change-status.ts';

/**
 * Stops all agents from accepting chats after the license ended; data stays readable. All are changed together, so that
 * no chats move to agents who are about to stop too.
 */
export const stopAcceptingChats = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  await lockOrganization(tx);
  const accepting = await tx
    .from('agents')
    .where('status', '=', 'accepting chats')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .select('id')
    .forNoKeyUpdate()
    .execute();
  if (accepting.length === 0) return;
  const status = 'not accepting chats';
  const ids = accepting.map(({ id }) => id);
  await announceStatuses(
    tx,
    ids.map((agentId) => ({ agentId, status, reason: 'license_ended' })),
  );
  await withRerouting(tx, () => tx.update('agents').where('id', 'in', ids).set({ status }).execute());
};
