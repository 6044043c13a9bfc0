import type { OrganizationScope, Transaction } from '../../scope.ts';

/**
 * Ends all that came of one consent; says whether there was anything. A program that gets tokens at the same moment holds
 * the one it gave for them, and what it got is seen by the next look only: so there is one until nothing is left.
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
