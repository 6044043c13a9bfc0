import { invalid } from '#server/domain/errors.ts';

/** The supported range of years. */
const EARLIEST = Date.UTC(1970);
const LATEST = Date.UTC(3000);

/** The contract checks the format; this checks that the time exists. */
export const readInstant = (field: string, text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (!(at.getTime() >= EARLIEST && at.getTime() < LATEST))
    throw invalid(field, 'must be a time between 1970 and 3000, such as 2026-03-31T10:00:00Z');
  return at;
};
