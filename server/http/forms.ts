import qs from 'qs';
import { DomainError } from '#server/domain/errors.ts';
import { checkValue } from './strict-json.ts';

const tooMuch = (): DomainError =>
  new DomainError('validation', 'Too many parameters, or parameters nested too deeply');

/** The parser would drop such a key silently, so it is rejected here. */
const decodePart = (part: string, isKey: boolean): string => {
  const text = decodeURIComponent(part.replaceAll('+', ' '));
  if (isKey && text.includes('__proto__')) throw new DomainError('validation', 'The key `__proto__` is not allowed');
  return text;
};

/**
 * Form fields and query strings with brackets, as the old client libraries send them: `a[]=x`, `a[0]=x`, `a[b]=x`,
 * `a[0][b]=x`. An index that would create a sparse array becomes an object key and fails validation.
 */
export const parseForm = (text: string): Record<string, unknown> => {
  if (text === '') return {};
  let fields: Record<string, unknown>;
  try {
    fields = qs.parse(text, {
      depth: 6,
      strictDepth: true,
      parameterLimit: 1000,
      throwOnLimitExceeded: true,
      arrayLimit: 1000,
      decoder: (part, _decode, _charset, type) => decodePart(part, type === 'key'),
    });
  } catch (error) {
    if (error instanceof URIError)
      throw new DomainError('validation', 'The parameters are not valid percent-encoded UTF-8');
    throw error instanceof DomainError ? error : tooMuch();
  }
  checkValue(fields);
  return fields;
};
