import type { OrganizationScope, Transaction } from './scope.ts';

/** Numbers count up within the organization, and none is given twice: what is deleted keeps its own. */
export const nextNumber = async (
  tx: Transaction<OrganizationScope>,
  table: 'greetings' | 'goals' | 'cannedResponses',
): Promise<number> => {
  await tx.from('groups').where('id', '=', 0).select('id').forNoKeyUpdate().executeTakeFirstOrThrow();
  const last = await tx.from(table).orderBy('id', 'desc').select('id').limit(1).executeTakeFirst();
  return (last?.id ?? 0) + 1;
};
