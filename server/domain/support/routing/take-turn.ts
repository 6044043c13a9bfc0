import { sql } from 'kysely';
import type { OrganizationScope, Transaction } from '../../scope.ts';

const ROUTING_LOCK = 11;

/**
 * One at a time per organization, until the end of the transaction: whoever counts loads must not be overtaken while
 * deciding. Those of this process line up among themselves; the lock is for the other processes.
 */
export const takeTurn = async (tx: Transaction<OrganizationScope>): Promise<void> => {
  await tx.claimTurn(tx.organizationId);
  await sql`select pg_advisory_xact_lock(${ROUTING_LOCK}, hashtext(${tx.organizationId}))`.execute(tx.db);
};
