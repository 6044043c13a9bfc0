import type { DomainError, DomainErrorCode } from '#server/domain/errors.ts';
import type { ErrorAnswer } from '#server/http/surface.ts';

/** Error responses of the partner and operator APIs. */
const statuses = {
  validation: 400,
  authentication: 401,
  invalid_client: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  insufficient_balance: 403,
  billing_missing: 409,
  chat_inactive: 409,
  chat_active: 409,
  chat_anonymized: 409,
  customer_banned: 403,
  greeting_not_found: 404,
  group_not_found: 404,
  group_offline: 409,
  group_unavailable: 409,
  groups_offline: 409,
  license_expired: 403,
  license_not_found: 404,
  limit_reached: 403,
  misdirected: 400,
  unsupported_version: 400,
  wrong_product_version: 409,
  too_large: 413,
  too_many_requests: 429,
  timeout: 503,
  unavailable: 503,
  internal: 500,
} as const satisfies Record<DomainErrorCode, number>;

export const writePartnerError = ({ code, message, details }: DomainError): ErrorAnswer => ({
  status: statuses[code],
  body: { error: { type: code, message, ...(details.fields ? { details: details.fields } : {}) } },
});
