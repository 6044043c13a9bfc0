import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable, isRetryable, isStatementTimeout, isUniqueViolation } from './database-errors.ts';

const failure = (fields: object, message = 'x') => Object.assign(new Error(message), fields);

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03', '53300', '08006', '08P01'])(
    'is true for %s',
    (code) => expect(isDatabaseUnavailable(failure({ code }))).toBe(true),
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('is true for the message "%s"', (message) => expect(isDatabaseUnavailable(failure({}, message))).toBe(true));

  it('is true for a missing socket, but not for a missing file', () => {
    expect(isDatabaseUnavailable(failure({ code: 'ENOENT', syscall: 'connect' }))).toBe(true);
    expect(isDatabaseUnavailable(failure({ code: 'ENOENT', syscall: 'open' }))).toBe(false);
  });

  it.each([null, undefined, 'text', { code: 5 }, failure({ code: '23505' }), failure({})])('is false for %s', (error) =>
    expect(isDatabaseUnavailable(error)).toBe(false),
  );
});

describe('other database errors', () => {
  it('are recognized as a timeout, a conflict of transactions or a unique violation', () => {
    expect(isStatementTimeout(failure({ code: '57014' }))).toBe(true);
    expect(isRetryable(failure({ code: '40001' }))).toBe(true);
    expect(isRetryable(failure({ code: '40P01' }))).toBe(true);
    expect(isRetryable(failure({ code: '23505' }))).toBe(false);
  });

  it('are compared by constraint name if one is passed', () => {
    const error = failure({ code: '23505', constraint: 'agents_pkey' });
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'agents_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'partners_login')).toBe(false);
    expect(isUniqueViolation(failure({ code: '23503', constraint: 'agents_pkey' }), 'agents_pkey')).toBe(false);
  });
});
