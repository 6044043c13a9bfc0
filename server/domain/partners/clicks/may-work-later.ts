import { isDatabaseAway, isRetryable, isStatementTimeout } from '#server/storage/failures.ts';

/** The database is away, or was too busy: the same may succeed a moment later. */
export const mayWorkLater = (error: unknown): boolean =>
  isDatabaseAway(error) || isStatementTimeout(error) || isRetryable(error);
