import type { DomainError } from '#server/domain/errors.ts';
import { parseForm } from './forms.ts';

/**
 * A query string that cannot be parsed. The router must not throw, so the error is kept here until a surface can report
 * it.
 */
class FaultyQuery {
  readonly fault: DomainError;
  constructor(fault: DomainError) {
    this.fault = fault;
  }
}

export const isFaultyQuery = (query: unknown): query is FaultyQuery => query instanceof FaultyQuery;

export const readQuery = (text: string): Record<string, unknown> => {
  try {
    return parseForm(text);
  } catch (error) {
    return new FaultyQuery(error as DomainError) as unknown as Record<string, unknown>;
  }
};
