import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';
import { isDatabaseUnavailable, isStatementTimeout } from '#server/storage/database-errors.ts';
import { describeValidationError } from './validation.ts';

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Only the first part of a path: the others may be names that a client chose. */
const toWirePath = (path: string): string => path.replace(/^[^.]+/, toSnakeCase);
const toWireText = (text: string): string => text.replace(/(?<=`)[a-z]+[A-Z]\w*/g, toSnakeCase);

/** The domain names fields in camel case; every API of ours names them in snake case. */
const toWireNames = (error: DomainError): DomainError => {
  const { code, message, details } = error;
  if (!details.fields) return error;
  const fields = details.fields.map((one) => ({ field: toWirePath(one.field), message: toWireText(one.message) }));
  return new DomainError(code, toWireText(message), { ...details, fields }, { cause: error });
};

/** Maps anything a request throws to a domain error. Only `internal` means a bug in the server. */
export const toDomainError = (error: unknown): DomainError => {
  if (error instanceof DomainError) return toWireNames(error);
  const { code, statusCode, validation } = (error ?? {}) as Partial<FastifyError>;
  if (validation) {
    const problem = describeValidationError(validation[0] as unknown as ErrorObject);
    return new DomainError('validation', `\`${problem.field}\` ${problem.message}`, { fields: [problem] });
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new DomainError('too_large', 'The request body is too large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new DomainError('validation', 'This Content-Type is not accepted');
  if (isStatementTimeout(error)) return new DomainError('timeout', 'Request timed out', {}, { cause: error });
  if (isDatabaseUnavailable(error)) {
    return new DomainError('unavailable', 'Not accepting new requests', { retryAfterSeconds: 2 }, { cause: error });
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const message = 'The server has no space left for files';
    return new DomainError('storage_full', message, { retryAfterSeconds: 60 }, { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('validation', (error as Error).message, {}, { cause: error });
  }
  return new DomainError('internal', 'Internal server error', {}, { cause: error });
};
