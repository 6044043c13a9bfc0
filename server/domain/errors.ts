/** All error codes of the domain. Each surface maps them in a table, and the compiler checks that none is missing. */
export type DomainErrorCode =
  | 'validation'
  | 'authentication'
  | 'invalid_client'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'insufficient_balance'
  | 'billing_missing'
  | 'chat_inactive'
  | 'chat_active'
  | 'chat_anonymized'
  | 'customer_banned'
  | 'greeting_not_found'
  | 'group_not_found'
  | 'group_offline'
  | 'group_unavailable'
  | 'groups_offline'
  | 'license_expired'
  | 'license_not_found'
  | 'limit_reached'
  | 'misdirected'
  | 'unsupported_version'
  | 'wrong_product_version'
  | 'too_large'
  | 'too_many_requests'
  | 'storage_full'
  | 'timeout'
  | 'unavailable'
  | 'internal';

export interface FieldError {
  field: string;
  message: string;
}

export interface ErrorDetails {
  fields?: FieldError[];
  region?: string;
  retryAfterSeconds?: number;
  allow?: string[];
}

export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly details: ErrorDetails;
  constructor(code: DomainErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
}

export const notFound = (what: string): DomainError => new DomainError('not_found', `${what} not found`);

/** For a mailed or printed link that was used, has expired or never existed. */
export const invalidLink = (): DomainError => new DomainError('not_found', 'This link is no longer valid.');

export const invalid = (field: string, message: string): DomainError =>
  new DomainError('validation', `\`${field}\` ${message}`, { fields: [{ field, message }] });
