import type { ErrorType } from '#contracts/chat/error.ts';
import type { DomainError, DomainErrorCode } from '#server/domain/errors.ts';
import type { ErrorAnswer } from '#server/http/surface.ts';

interface Entry {
  status: number;
  type: ErrorType;
  /** The documented message; if absent, the domain's message is used. */
  message?: string;
}

/** The status, type and message of each domain error in the chat APIs v3.5. */
const table = {
  validation: { status: 400, type: 'validation' },
  authentication: { status: 401, type: 'authentication', message: 'Authentication error' },
  invalid_client: { status: 401, type: 'authentication', message: 'Authentication error' },
  forbidden: { status: 403, type: 'authorization', message: 'Authorization error' },
  not_found: { status: 404, type: 'not_found' },
  method_not_allowed: { status: 405, type: 'validation' },
  conflict: { status: 400, type: 'validation' },
  insufficient_balance: { status: 403, type: 'authorization' },
  billing_missing: { status: 400, type: 'validation' },
  chat_inactive: { status: 422, type: 'chat_inactive', message: 'No active chat thread' },
  chat_active: { status: 400, type: 'validation' },
  chat_anonymized: { status: 422, type: 'chat_anonymized', message: 'Chat anonymized' },
  customer_banned: { status: 403, type: 'customer_banned', message: 'Customer is banned' },
  greeting_not_found: { status: 404, type: 'greeting_not_found', message: 'Greeting not found' },
  group_not_found: { status: 404, type: 'group_not_found', message: 'Group not found' },
  group_offline: { status: 422, type: 'group_offline', message: 'Group is offline' },
  group_unavailable: { status: 422, type: 'group_unavailable', message: 'No agent available for group' },
  groups_offline: { status: 422, type: 'groups_offline', message: 'Groups offline' },
  license_expired: { status: 402, type: 'license_expired', message: 'License expired' },
  license_not_found: { status: 404, type: 'license_not_found', message: 'License not found' },
  limit_reached: { status: 422, type: 'limit_reached', message: 'Resource limit reached' },
  misdirected: { status: 421, type: 'misdirected_request', message: 'Wrong region' },
  unsupported_version: { status: 400, type: 'unsupported_version', message: 'Unsupported version' },
  wrong_product_version: { status: 422, type: 'wrong_product_version', message: 'Wrong product version' },
  too_large: { status: 413, type: 'entity_too_large' },
  too_many_requests: { status: 429, type: 'too_many_requests', message: 'Too many requests' },
  storage_full: { status: 507, type: 'service_unavailable', message: 'The server has no space left for files' },
  timeout: { status: 408, type: 'request_timeout', message: 'Request timed out' },
  unavailable: { status: 503, type: 'service_unavailable', message: 'Not accepting new requests' },
  internal: { status: 500, type: 'internal', message: 'Internal server error' },
} as const satisfies Record<DomainErrorCode, Entry>;

export const writeChatError = (error: DomainError): ErrorAnswer => {
  const { status, type, message }: Entry = table[error.code];
  const { region, fields } = error.details;
  const data = { ...(region ? { region } : {}), ...(fields ? { fields } : {}) };
  return {
    status,
    body: { error: { type, message: message ?? error.message, ...(region || fields ? { data } : {}) } },
  };
};
