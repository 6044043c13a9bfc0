import { isDatabaseUnavailable, isRetryable, isStatementTimeout } from '#server/storage/database-errors.ts';

/** Whether the same write may succeed later: the database is unavailable or overloaded. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || isStatementTimeout(error) || isRetryable(error);
