import { isDatabaseAway, isRetryable, isStatementTimeout } from '#server/storage/failures.ts';

/** Whether the same write may succeed later: the database is unavailable or overloaded. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isDatabaseAway(error) || isStatementTimeout(error) || isRetryable(error);
