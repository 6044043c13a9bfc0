import fc from 'fast-check';

const many = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join('&');

/** Query strings that no operation can parse. */
export const brokenQueries: string[] = [
  'a=%zz',
  'a=%',
  'a=%ff',
  'a=%00',
  '%00=a',
  'a=%ED%A0%80',
  'a=%C0%80',
  '__proto__=1',
  '__proto__[x]=1',
  'a[__proto__]=1',
  'a[b][c][d][e][f][g][h]=1',
  `a${'[b]'.repeat(500)}=1`,
  many(1001, (at) => `p${at}=1`),
  many(1001, () => 'p[]=1'),
];

export const brokenJson: string[] = [
  '{',
  '}',
  '[',
  '"',
  'nul',
  'NaN',
  'undefined',
  "{'a':1}",
  '{a:1}',
  '{"a":}',
  '{"a":1,}',
  '{"a":1}}',
  '{"a":01}',
  '{"a":"\t"}',
  '{"a":"\\x"}',
  '\u00a0{}',
  '// {}',
  '<a/>',
  'a=b',
  '['.repeat(100_000),
  '{"a":'.repeat(65),
  `{"a":"${'x'.repeat(1_100_000)}`,
];

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Members that every surface rejects in a JSON object, regardless of the other members. */
export const hostileMembers: string[] = [
  '"__proto__":{"admin":true}',
  '"\\u005f_proto__":1',
  '"constructor":{"prototype":{}}',
  '"prototype":1',
  '"x":{"y":[{"__proto__":1}]}',
  '"x":"\\u0000"',
  '"\\u0000":1',
  '"x":"\\ud800"',
  '"x":"\\udfff\\ud800"',
  '"\\ud800":1',
  '"x":1e400',
  '"x":-1e999',
  '"x":1,"x":2',
  '"x":1,"\\u0078":2',
  '"x":{"y":1,"y":1}',
  `"x":${nested(65)}`,
  `"x":${nested(5000)}`,
];

/** A value of another type than expected. The caller checks against the schema that it is really invalid. */
export const junk: fc.Arbitrary<unknown> = fc
  .oneof(
    fc.constantFrom<unknown[]>(
      undefined,
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      2 ** 53,
      2 ** 31,
      '',
      ' ',
      'x',
      'x'.repeat(20_000),
      '1e400',
      [],
      {},
      [[]],
      [null],
      { a: 1 },
      [{ type: 'form' }],
      { type: 'telepathy' },
    ),
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.integer(), { maxKeys: 3 }),
  )
  .filter((value) => typeof value !== 'string' || value.isWellFormed());

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const wrongCredentials: string[] = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Bearer a b',
  'Bearer null',
  'Bearer undefined',
  `Bearer ${'x'.repeat(5000)}`,
  'Bearer dal:x',
  'Bearer dal-x',
  'Bearer xyz:x',
  'Basic',
  'Basic !!!',
  `Basic ${base64('nocolon')}`,
  `Basic ${base64(':')}`,
  `Basic ${base64('a:b')}`,
  `Basic ${base64('a\0b:c\0d')}`,
  `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
  `Basic ${'A'.repeat(5000)}`,
  'Digest username="x"',
  'Negotiate x',
  '\u00ff\u00fe',
];
