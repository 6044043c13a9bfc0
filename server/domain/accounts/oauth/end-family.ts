import type { OrganizationScope, Transaction } from '../../scope.ts';

/**
 * Deletes all codes and tokens of one consent; returns whether there were any. A concurrent exchange holds the lock of the token
 * it uses up, and its new tokens are visible only to the next statement, so this repeats until nothing is left.
 */
export const endFamily = async (tx: Transaction<OrganizationScope>, familyId: string): Promise<boolean> => {
  let ended = false;
  for (;;) {
    const { numDeletedRows } = await tx
      .remove('oauthTokens')
      .where('familyId', '=', familyId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) break;
    ended = true;
  }
  tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  return ended;
};
