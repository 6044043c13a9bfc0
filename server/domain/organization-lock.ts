import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { OrganizationScope, Transaction } from './scope.ts';

/**
 * Serializes routing decisions and license changes of one organization until the end of the transaction, so that no agent's load
 * changes between counting and deciding. Transactions of this process queue in memory; the advisory lock is for other processes.
 */
export const lockOrganization = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  await tx.queueForLock(tx.organizationId);
  await lockInTransaction(tx.executor, 'organization', tx.organizationId);
};
