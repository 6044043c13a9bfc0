import { DomainError } from '#server/domain/errors.ts';

const MAX_DEPTH = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const refuse = (why: string): DomainError => new DomainError('validation', why);

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const OPEN = new Set([91, 123]);
const CLOSE = new Set([93, 125]);

/** Counts the keys in the text and rejects nesting that would exhaust a recursive parser. Strings are skipped. */
const countWrittenKeys = (text: string): number => {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at++;
      while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    } else if (code === COLON) keys++;
    else if (OPEN.has(code)) {
      if (++depth > MAX_DEPTH) throw refuse(`The body is nested deeper than ${MAX_DEPTH} levels`);
    } else if (CLOSE.has(code)) depth--;
  }
  return keys;
};

/** Rejects text that PostgreSQL cannot store or that parsers interpret differently. */
export const assertStorableText = (text: string): void => {
  if (text.includes('\0')) throw refuse('Text must not contain a NUL character');
  if (!text.isWellFormed()) throw refuse('Text must be well-formed Unicode');
};

/** Checks every string and key of a parsed value and returns the number of keys. */
export const checkValue = (value: unknown, depth = 0): number => {
  if (typeof value === 'string') {
    assertStorableText(value);
    return 0;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw refuse('Numbers must be finite');
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH) throw refuse(`The request is nested deeper than ${MAX_DEPTH} levels`);
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += checkValue(item, depth + 1);
    return keys;
  }
  for (const key of Object.keys(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw refuse(`The key \`${key}\` is not allowed`);
    assertStorableText(key);
    keys += 1 + checkValue((value as Record<string, unknown>)[key], depth + 1);
  }
  return keys;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse('The body is not valid UTF-8');
  }
};

/**
 * The JSON parser of every surface. A repeated key is detected by counting: the text has more keys than the parsed
 * value.
 */
export const parseStrictJson = (text: string): unknown => {
  const written = countWrittenKeys(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('The body is not valid JSON');
  }
  if (checkValue(value) !== written) throw refuse('The body repeats a key');
  return value;
};
