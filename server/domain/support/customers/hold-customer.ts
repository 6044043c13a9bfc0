import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';

/**
 * Whoever opens or closes a chat of this customer, or changes it, takes turns from here to the end of the transaction. It
 * comes before any lock on a chat, so that two of them never wait for each other.
 */
export const holdCustomer = async (tx: Transaction<OrganizationScope>, customerId: string) => {
  const row = await tx
    .from('customers')
    .where('id', '=', customerId)
    .select(['email', 'emailVerifiedAt', 'pending'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('Customer');
  return row;
};

/** The same of several, always in the same order. */
export const holdCustomers = async (tx: Transaction<OrganizationScope>, customerIds: readonly string[]) => {
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
