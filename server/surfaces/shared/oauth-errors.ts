import type { OauthException } from '#contracts/accounts/index.ts';
import type { DomainError, DomainErrorCode } from '#server/domain/errors.ts';
import type { ErrorAnswer } from '#server/http/surface.ts';

const table = {
  validation: { status: 400, exception: 'invalid_request' },
  authentication: { status: 401, exception: 'invalid_grant' },
  invalid_client: { status: 401, exception: 'invalid_client' },
  forbidden: { status: 403, exception: 'forbidden' },
  not_found: { status: 404, exception: 'resource_not_found' },
  method_not_allowed: { status: 405, exception: 'invalid_request' },
  conflict: { status: 400, exception: 'conflict' },
  insufficient_balance: { status: 400, exception: 'forbidden' },
  billing_missing: { status: 400, exception: 'conflict' },
  chat_inactive: { status: 400, exception: 'invalid_request' },
  chat_active: { status: 400, exception: 'invalid_request' },
  chat_anonymized: { status: 400, exception: 'invalid_request' },
  customer_banned: { status: 403, exception: 'access_denied' },
  greeting_not_found: { status: 404, exception: 'resource_not_found' },
  group_not_found: { status: 404, exception: 'resource_not_found' },
  group_offline: { status: 400, exception: 'invalid_request' },
  group_unavailable: { status: 400, exception: 'invalid_request' },
  groups_offline: { status: 400, exception: 'invalid_request' },
  license_expired: { status: 403, exception: 'access_denied' },
  license_not_found: { status: 404, exception: 'resource_not_found' },
  limit_reached: { status: 403, exception: 'access_denied' },
  misdirected: { status: 421, exception: 'invalid_request' },
  unsupported_version: { status: 400, exception: 'invalid_request' },
  wrong_product_version: { status: 403, exception: 'access_denied' },
  too_large: { status: 413, exception: 'invalid_request' },
  too_many_requests: { status: 429, exception: 'temporarily_unavailable' },
  timeout: { status: 503, exception: 'temporarily_unavailable' },
  storage_full: { status: 503, exception: 'temporarily_unavailable' },
  unavailable: { status: 503, exception: 'temporarily_unavailable' },
  internal: { status: 500, exception: 'server_error' },
} as const satisfies Record<DomainErrorCode, { status: number; exception: OauthException }>;

/** Error responses of the token endpoints. */
export const writeOauthError = ({ code, message }: DomainError): ErrorAnswer => {
  const { status, exception } = table[code];
  return { status, body: { oauth_exception: exception, exception_description: message } };
};
