import type { OrganizationScope } from './scope.ts';

const MAX_PER_BATCH = 1000;

const TABLES = ['oauthTokens', 'oauthCodes', 'agentSessions', 'visitorSessions'] as const;

/** What let somebody in until it ended. A batch of each kind at a time; returns how many there were. */
export const removeEnded = async (scope: OrganizationScope): Promise<number> => {
  let removed = 0;
  for (const table of TABLES) {
    const ended = scope.from(table).where('expiresAt', '<=', scope.now()).select('id').limit(MAX_PER_BATCH);
    const { numDeletedRows } = await scope.remove(table).where('id', 'in', ended).executeTakeFirstOrThrow();
    removed += Number(numDeletedRows);
  }
  return removed;
};
