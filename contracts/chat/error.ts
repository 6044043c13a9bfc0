import { Type } from 'typebox';
import { oneOf } from '../values.ts';

/** The error types of the customer chat API; the agent API uses the same envelope. */
export const errorTypes = [
  'authentication',
  'authorization',
  'chat_anonymized',
  'chat_inactive',
  'customer_banned',
  'entity_too_large',
  'greeting_not_found',
  'group_not_found',
  'group_offline',
  'group_unavailable',
  'groups_offline',
  'internal',
  'license_expired',
  'license_not_found',
  'limit_reached',
  'misdirected_request',
  'not_found',
  'request_timeout',
  'service_unavailable',
  'too_many_requests',
  'unsupported_version',
  'validation',
  'wrong_product_version',
] as const;

export type ErrorType = (typeof errorTypes)[number];

/** The invalid fields of a request by path, such as `rules.0.value`, and what is wrong with each. */
export const FieldErrors = Type.Array(Type.Object({ field: Type.String(), message: Type.String() }));

export const ErrorData = Type.Object({ region: Type.Optional(Type.String()), fields: Type.Optional(FieldErrors) });

export const ChatError = Type.Object({
  error: Type.Object({
    type: oneOf(...errorTypes),
    message: Type.String(),
    data: Type.Optional(ErrorData),
  }),
});

/** Statuses that any operation may fail with. */
export const chatErrorStatuses = [400, 401, 402, 403, 404, 405, 408, 413, 421, 422, 429, 500, 503];
