import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue, decodeUtf8, parseStrictJson } from './strict-json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const refused = (text: string, why: RegExp) => expect(() => parseStrictJson(text)).toThrow(why);

describe('parseStrictJson', () => {
  it('parses everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/"(__proto__|constructor|prototype)"\s*:|\\u0000|\\ud[89a-f]/.test(text));
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('ignores brackets and quotes inside strings', () => {
    const tricky = {
      'a:b': '{"c":1}',
      'd"e': '\\',
      'f\\': '\\"',
      g: '[[[[{{{{',
      h: ['":', '\\\\"'],
      '{': ':::',
    };
    expect(parseStrictJson(JSON.stringify(tricky))).toEqual(tricky);
    expect(parseStrictJson(JSON.stringify({ text: '['.repeat(1000) }))).toEqual({ text: '['.repeat(1000) });
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1,"a":1}}',
    '[{"a":[{"b":1,"b":2}]}]',
    '{"":1,"":2}',
    '{"1":1,"1":2}',
  ])('rejects the repeated key of %s', (text) => refused(text, /repeats a key/));

  it('allows the same key in different objects', () => {
    expect(parseStrictJson('{"a":{"a":1},"b":{"a":1}}')).toEqual({ a: { a: 1 }, b: { a: 1 } });
  });

  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])('rejects the key %s anywhere', (key) => {
    refused(`{"${key}":{"admin":true}}`, /is not allowed/);
    refused(`[{"deep":{"${key}":1}}]`, /is not allowed/);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('allows 64 levels of nesting and rejects more', () => {
    expect(parseStrictJson(nested(64))).toBeInstanceOf(Array);
    refused(nested(65), /deeper than 64/);
    refused(nested(100_000), /deeper than 64/);
    refused('['.repeat(100_000), /deeper than 64/);
    refused('{"a":'.repeat(100_000), /deeper than 64/);
  });

  it('rejects numbers that are not finite', () => {
    refused('{"a":1e400}', /finite/);
    refused('[-1e999]', /finite/);
    expect(parseStrictJson('-0')).toBe(-0);
    expect(parseStrictJson('[9007199254740993]')).toEqual([2 ** 53]);
  });

  it('rejects text that the database cannot store, in values and keys', () => {
    refused('{"a":"\\u0000"}', /NUL/);
    refused('{"\\u0000":1}', /NUL/);
    refused('["\\ud800"]', /well-formed/);
    refused('{"\\udfff":1}', /well-formed/);
    expect(parseStrictJson('"\\ud83d\\ude00"')).toBe('😀');
  });

  it.each(['', ' ', '{', '{"a":1', '{"a"}', "{'a':1}", 'NaN', '{"a":1,}', '\u00a0{}', '{}{}', '{"a\n":1}'])(
    'rejects %j as invalid JSON',
    (text) => refused(text, /not valid JSON/),
  );
});

describe('decodeUtf8', () => {
  it.each([[[0xff]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[0xe2, 0x82]], [[0xf5, 0x80, 0x80, 0x80]]])(
    'rejects the bytes %j',
    (bytes) => expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(/UTF-8/),
  );

  it('ignores a byte order mark', () => {
    expect(decodeUtf8(Buffer.from('\ufeffżółć 😀'))).toBe('żółć 😀');
  });
});

describe('checkValue', () => {
  it('counts the keys of a value', () => {
    expect(checkValue({ a: 1, b: [{ c: 2 }, { d: {} }] })).toBe(4);
  });
});
