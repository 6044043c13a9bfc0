import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLinks, isWebAddress } from './links.ts';

const hrefsIn = (text: string) => findLinks(text).flatMap(({ href }) => href ?? []);

describe('addresses in a text', () => {
  it('are found without the signs that end a sentence', () => {
    expect(hrefsIn('See (https://a.test/x?y=1), or http://b.test!')).toEqual(['https://a.test/x?y=1', 'http://b.test']);
    expect(hrefsIn('Write to ann.b+c@shop.example.')).toEqual(['mailto:ann.b+c@shop.example']);
    expect(hrefsIn('no link, a@b, www.a.test')).toEqual([]);
  });

  it('lead to pages and mailboxes only', () => {
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'https://', 'file:///etc/passwd'])
      expect(hrefsIn(text)).toEqual([]);
    for (const value of ['javascript:alert(1)', ' https://a.test" onclick="x', undefined, 7, {}, 'JaVaScRiPt:x'])
      expect([value, isWebAddress(value) && !/^\s*https?:/i.test(String(value))]).toEqual([value, false]);
  });

  it('leave every letter where it was', () => {
    const words = fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.emailAddress(), fc.constantFrom(' ', '\n', '<b>')));
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(' ');
        expect(
          findLinks(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
        for (const href of hrefsIn(text)) expect(href).toMatch(/^(https?:\/\/|mailto:)/i);
      }),
    );
  });
});
