import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';
import { isDatabaseAway, isStatementTimeout } from '#server/storage/failures.ts';
import { describeFault } from './validation.ts';

/** Maps anything a request throws to a domain error. Only `internal` means a bug in the server. */
export const toDomainError = (error: unknown): DomainError => {
  if (error instanceof DomainError) return toWireNames(error);
  const { code, statusCode, validation } = (error ?? {}) as Partial<FastifyError>;
  if (validation) {
    const fault = describeFault(validation[0] as unknown as ErrorObject);
    return new DomainError('validation', `\`${fault.field}\` ${fault.message}`, { fields: [fault] });
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new DomainError('too_large', 'The request body is too large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new DomainError('validation', 'This Content-Type is not accepted');
  if (isStatementTimeout(error)) return new DomainError('timeout', 'Request timed out', {}, { cause: error });
  if (isDatabaseAway(error)) {
    return new DomainError('unavailable', 'Not accepting new requests', { retryAfterSeconds: 2 }, { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('validation', (error as Error).message, {}, { cause: error });
  }
  return new DomainError('internal', 'Internal server error', {}, { cause: error });
};
