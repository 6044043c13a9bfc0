import { type Static, type TSchema, Type } from 'typebox';
import { invalid } from '#server/domain/errors.ts';
import { parseStrictJson } from '#server/http/strict-json.ts';
import { compileBody } from '#server/http/validation.ts';

const MAX_TEXT_LENGTH = 10_000;

const parse = (text: string): unknown => {
  if (text.length > MAX_TEXT_LENGTH) throw invalid('filters', `must not be longer than ${MAX_TEXT_LENGTH} characters`);
  try {
    return parseStrictJson(text);
  } catch {
    throw invalid('filters', 'is not valid JSON');
  }
};

/** A string (from a query or a form) is parsed as JSON; a list is used as is. */
export const filterReader = <S extends TSchema>(schema: S): ((input: unknown) => Static<S>) => {
  const check = compileBody(Type.Object({ filters: schema }));
  return (input = []) => {
    const filters = typeof input === 'string' ? parse(input) : input;
    check({ filters });
    return filters as Static<S>;
  };
};
