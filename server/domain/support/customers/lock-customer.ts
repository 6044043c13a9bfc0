import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';

/**
 * Locks the customer's row until the end of the transaction, to serialize changes of the customer and the opening and
 * closing of chats. It must come before any lock on a chat, to avoid deadlocks.
 */
export const lockCustomer = async (tx: Transaction<OrganizationScope>, customerId: string) => {
  const row = await tx
    .from('customers')
    .where('id', '=', customerId)
    .select(['email', 'emailVerifiedAt', 'pendingUpdate'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('Customer');
  return row;
};

/** Locks several customers in id order. */
export const lockCustomers = async (tx: Transaction<OrganizationScope>, customerIds: readonly string[]) => {
  await tx
    .from('customers')
    .where('id', '=', sql<string>`any(${customerIds}::uuid[])`)
    .orderBy('id')
    .select('id')
    .forNoKeyUpdate()
    .execute();
};

export const hasActiveChat = async (tx: OrganizationScope, customerId: string): Promise<boolean> =>
  (await tx
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;
