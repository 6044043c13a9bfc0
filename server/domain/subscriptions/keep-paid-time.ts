import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';

/** Until then, or for as long as somebody else paid already: the operator may have recorded a payment of its own. */
export const keepPaidTime = async (tx: Transaction<OrganizationScope>, until: Date): Promise<Date> => {
  await takeTurn(tx);
  const { paidUntil } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select('paidUntil')
    .executeTakeFirstOrThrow();
  return paidUntil && paidUntil > until ? paidUntil : until;
};
