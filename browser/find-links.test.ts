import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLinks, isWebUrl } from './find-links.ts';

const hrefsIn = (text: string): string[] => findLinks(text).flatMap(({ href }) => href ?? []);

describe('findLinks', () => {
  it('leaves punctuation that ends a sentence out of a link', () => {
    expect(findLinks('See (https://shop.test/a?b=1).')).toEqual([
      { text: 'See (' },
      { text: 'https://shop.test/a?b=1', href: 'https://shop.test/a?b=1' },
      { text: ').' },
    ]);
    expect(hrefsIn('See https://a.test/x?y=1, or http://b.test!')).toEqual(['https://a.test/x?y=1', 'http://b.test']);
  });

  it('links email addresses', () => {
    expect(hrefsIn('Write to ann.b+c@shop.example.')).toEqual(['mailto:ann.b+c@shop.example']);
    expect(hrefsIn('Write to ann@www.shop.example')).toEqual(['mailto:ann@www.shop.example']);
  });

  it('links addresses that start with www over HTTPS', () => {
    expect(findLinks('See www.shop.test/a.')).toEqual([
      { text: 'See ' },
      { text: 'www.shop.test/a', href: 'https://www.shop.test/a' },
      { text: '.' },
    ]);
    expect(hrefsIn('https://www.shop.test')).toEqual(['https://www.shop.test']);
  });

  it.each([
    'a@b',
    'www.',
    'www.a',
    'shop.test',
    'https://',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/x',
  ])('finds no link in %s', (text) => expect(hrefsIn(text)).toEqual([]));

  it('returns parts that join to the original text', () => {
    const word = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.emailAddress(),
      fc.constantFrom(
        '\n',
        '<b>',
        'https://shop.test/a?b=(1).',
        'http://x',
        'www.a.b,',
        'a.b@shop.test,',
        'vbscript:x',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const text = words.join(' ');
        const parts = findLinks(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const href of hrefsIn(text)) expect(href).toMatch(/^(https?:\/\/|mailto:)/i);
      }),
    );
  });
});

describe('isWebUrl', () => {
  it.each(['https://a.test', 'http://a.test/x?y#z'])('accepts %s', (url) => expect(isWebUrl(url)).toBe(true));
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:x',
    ' java\nscript:x',
    'data:text/html,x',
    '/relative',
    '',
    undefined,
    7,
  ])('rejects %s', (value) => expect(isWebUrl(value)).toBe(false));
});
