import type { DomainError } from '#server/domain/errors.ts';
import type { ErrorAnswer } from '#server/http/surface.ts';
import { errorStatuses } from './error-statuses.ts';

/** Error responses of the partner and operator APIs. */
export const writePartnerError = ({ code, message, details }: DomainError): ErrorAnswer => ({
  status: errorStatuses[code],
  body: { error: { type: code, message, ...(details.fields ? { details: details.fields } : {}) } },
});
