import type { OrganizationScope } from '../scope.ts';

const MOST_AT_ONCE = 1000;

/** Codes, tokens and sessions that ended. A batch of each at a time; returns how many there were. */
export const removeExpiredGrants = async (scope: OrganizationScope): Promise<number> => {
  let removed = 0;
  for (const table of ['oauthTokens', 'oauthCodes', 'agentSessions'] as const) {
    const ended = scope.from(table).where('expiresAt', '<=', scope.now()).select('id').limit(MOST_AT_ONCE);
    const { numDeletedRows } = await scope.remove(table).where('id', 'in', ended).executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
  }
  return removed;
};
