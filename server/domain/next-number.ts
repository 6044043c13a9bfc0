import type { OrganizationScope, Transaction } from './scope.ts';

/** Returns the next number within the organization. Numbers of deleted rows are not reused. */
export const nextNumber = async (
  tx: Transaction<OrganizationScope>,
  table: 'greetings' | 'goals' | 'cannedResponses',
): Promise<number> => {
  await tx.from('groups').where('id', '=', 0).select('id').forNoKeyUpdate().executeTakeFirstOrThrow();
  const last = await tx.from(table).orderBy('id', 'desc').select('id').limit(1).executeTakeFirst();
  return (last?.id ?? 0) + 1;
};
