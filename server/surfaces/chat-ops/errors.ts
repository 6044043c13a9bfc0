import type { DomainError, DomainErrorCode } from '#server/domain/errors.ts';
import type { ErrorAnswer } from '#server/http/surface.ts';
import { errorStatuses } from '#server/surfaces/shared/error-statuses.ts';

const statuses: Record<DomainErrorCode, number> = {
  ...errorStatuses,
  conflict: 400,
  billing_missing: 400,
  chat_inactive: 400,
  chat_active: 400,
  chat_anonymized: 404,
  group_offline: 400,
  group_unavailable: 400,
  groups_offline: 400,
  wrong_product_version: 403,
};

const messageOf = ({ message, details: { region } }: DomainError): string =>
  region ? `This credential belongs to the region ${region}: send the header X-Region: ${region}` : message;

/** Header values are Latin-1, so everything beyond ASCII is escaped. */
const toHeaderJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Repeats the message in every field that a known client reads. The invalid fields are in a header, because clients may compare
 * the whole body.
 */
export const writeChatOpsError = (error: DomainError): ErrorAnswer => {
  const status = statuses[error.code];
  const message = messageOf(error);
  const { fields } = error.details;
  const headers: Record<string, string> = fields ? { 'x-invalid-fields': toHeaderJson(fields) } : {};
  return { status, headers, body: { message, code: status, error: message, errors: [message] } };
};
