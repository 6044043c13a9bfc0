import { describe, expect, it } from 'vitest';
import { readBasic, readBearer } from './credentials.ts';

const withHeader = (authorization?: string) => ({ headers: authorization === undefined ? {} : { authorization } });
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('readBearer', () => {
  it.each([
    ['Bearer dal:abc', 'dal:abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc', 'abc'],
  ])('reads %s', (header, token) => expect(readBearer(withHeader(header))).toBe(token));

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Bearer a b', 'Basic abc', 'xBearer abc', `Bearer ${'x'.repeat(513)}`])(
    'finds no token in %s',
    (header) => expect(readBearer(withHeader(header))).toBeUndefined(),
  );
});

describe('readBasic', () => {
  it.each([
    ['a@b.co:key', 'a@b.co', 'key'],
    ['a:b:c', 'a', 'b:c'],
    [':', '', ''],
    ['żółw:😀', 'żółw', '😀'],
  ])('reads %s', (text, user, password) => expect(readBasic(withHeader(basic(text)))).toEqual({ user, password }));

  it.each([undefined, 'Basic', 'Basic !', basic('nothing to part'), `Basic ${'A'.repeat(1025)}`, 'Bearer YTpi'])(
    'finds no user in %s',
    (header) => expect(readBasic(withHeader(header))).toBeUndefined(),
  );
});
