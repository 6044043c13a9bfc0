import type { OrganizationScope } from './scope.ts';

const MAX_PER_BATCH = 1000;

const TABLES = ['oauthTokens', 'oauthCodes', 'agentSessions', 'visitorSessions'] as const;

/** Deletes expired tokens, codes and sessions, one batch per table, and returns the number of deleted rows. */
export const removeExpiredCredentials = async (scope: OrganizationScope): Promise<number> => {
  let removed = 0;
  for (const table of TABLES) {
    const expired = scope.from(table).where('expiresAt', '<=', scope.now()).select('id').limit(MAX_PER_BATCH);
    const { numDeletedRows } = await scope.remove(table).where('id', 'in', expired).executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
  }
  return removed;
};
