import { describe, expect, it } from 'vitest';
import { parseForm } from './forms.ts';
import { isInvalidQuery, readQuery } from './query.ts';

describe('parseForm', () => {
  it.each<[string, unknown]>([
    ['', {}],
    ['a=x', { a: 'x' }],
    ['a=', { a: '' }],
    ['a', { a: '' }],
    ['a=x&b=y', { a: 'x', b: 'y' }],
    ['a=1+2%203', { a: '1 2 3' }],
    ['a=%C5%BC%F0%9F%98%80', { a: 'ż😀' }],
    ['a[]=x&a[]=y', { a: ['x', 'y'] }],
    ['a%5B%5D=x', { a: ['x'] }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
    ['a=x&a=y', { a: ['x', 'y'] }],
    ['a[b]=x&a[c]=y', { a: { b: 'x', c: 'y' } }],
    ['a[0][b]=x&a[0][c]=y&a[1][b]=z', { a: [{ b: 'x', c: 'y' }, { b: 'z' }] }],
    ['a[b][]=x&a[b][]=y', { a: { b: ['x', 'y'] } }],
    ['=x', {}],
    ['a=b=c', { a: 'b=c' }],
    ['mail=a%2Bb@c.example', { mail: 'a+b@c.example' }],
  ])('reads %s', (text, value) => expect(parseForm(text)).toEqual(value));

  it('does not create a sparse array for a large index', () => {
    let fields: Record<string, unknown> = {};
    try {
      fields = parseForm('rules[99999999][type]=x');
    } catch (error) {
      expect(error).toMatchObject({ code: 'validation' });
    }
    expect(fields.rules).not.toBeInstanceOf(Array);
  });

  it.each([
    ['a%'],
    ['a=%zz'],
    ['a=%E0%A4%A'],
    ['%ff=a'],
    ['a=%00'],
    ['a%00=b'],
    ['a=\0'],
    ['a=%ED%A0%80'],
    ['__proto__[admin]=1'],
    ['__proto__=1'],
    ['a[__proto__][admin]=1'],
    ['a[b][c][d][e][f][g][h]=1'],
    [`a${'[b]'.repeat(50)}=1`],
  ])('rejects %s', (text) => expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: 'validation' })));

  it.each(['%5f_proto__[admin]=1', 'a[%5f_proto__][admin]=1', 'constructor[prototype][admin]=1', 'toString=1'])(
    'does not change a prototype: %s',
    (text) => {
      try {
        parseForm(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'validation' });
      }
      expect(({} as Record<string, unknown>).admin).toBeUndefined();
      expect(typeof {}.toString).toBe('function');
    },
  );

  it.each([
    ['a', 1001],
    ['a[]', 1001],
  ])('rejects more than a thousand of %s', (name, count) => {
    const text = Array.from({ length: count }, (_, at) => (name === 'a' ? `a${at}=1` : 'a[]=1')).join('&');
    expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: 'validation' }));
  });

  it('accepts a thousand parameters', () => {
    const text = Array.from({ length: 1000 }, (_, at) => `a${at}=${at}`).join('&');
    expect(Object.keys(parseForm(text))).toHaveLength(1000);
  });
});

describe('readQuery', () => {
  it('keeps an error until a surface can report it', () => {
    const faulty = readQuery('a=%zz');
    expect(isInvalidQuery(faulty)).toBe(true);
    expect(isInvalidQuery(readQuery('a=1'))).toBe(false);
  });
});
