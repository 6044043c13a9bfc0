/** The SQLSTATE of a PostgreSQL error, or the code of a socket error. */
const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53100',
  '53200',
  '53300',
]);
const AWAY_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'is not currently accepting connections',
];

/** The database is unreachable or has no disk or memory left: nothing was acknowledged, and the same call may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const code = codeOf(error);
  // The socket of a local server is a file; any other missing file is unrelated to the database.
  if (code === 'ENOENT') return (error as { syscall?: string }).syscall === 'connect';
  if (AWAY.has(code) || code.startsWith('08') || isOutdatedPlan(error)) return true;
  return error instanceof Error && AWAY_MESSAGES.some((message) => error.message.includes(message));
};

/** Prepared before a table changed. The connection is closed; another one prepares the statement again. */
const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery';

/** The statement took too long, or waited too long for a lock. */
export const isStatementTimeout = (error: unknown): boolean => ['57014', '55P03'].includes(codeOf(error));

/** Two transactions conflicted, or a newer release changed a table; retrying is enough. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) || isOutdatedPlan(error);

export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: string }).constraint === constraint);
