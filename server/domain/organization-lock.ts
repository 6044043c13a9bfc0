import { sql } from 'kysely';
import type { OrganizationScope, Transaction } from './scope.ts';

const ORGANIZATION_LOCK = 11;

/**
 * Serializes routing decisions and license changes of one organization until the end of the transaction, so that no agent's load
 * changes between counting and deciding. Transactions of this process queue in memory; the advisory lock is for other processes.
 */
export const lockOrganization = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  await tx.claimTurn(tx.organizationId);
  await sql`select pg_advisory_xact_lock(${ORGANIZATION_LOCK}, hashtext(${tx.organizationId}))`.execute(tx.db);
};
