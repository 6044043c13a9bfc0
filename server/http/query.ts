import type { DomainError } from '#server/domain/errors.ts';
import { parseForm } from './forms.ts';

/**
 * A query string that cannot be parsed. The router must not throw, so the error is kept here until a surface can report
 * it.
 */
class InvalidQuery {
  readonly error: DomainError;
  constructor(error: DomainError) {
    this.error = error;
  }
}

export const isInvalidQuery = (query: unknown): query is InvalidQuery => query instanceof InvalidQuery;

export const readQuery = (text: string): Record<string, unknown> => {
  try {
    return parseForm(text);
  } catch (error) {
    return new InvalidQuery(error as DomainError) as unknown as Record<string, unknown>;
  }
};
