import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchKeywordOf } from './search-keyword.ts';

/** Includes lone surrogates and control characters. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

describe('the search keyword of a referrer', () => {
  const referrers: [referrer: string, keyword: string | undefined][] = [
    ['https://www.google.com/search?q=red+shoes&hl=en', 'red shoes'],
    ['https://google.co.uk/search?hl=en&q=red%20shoes', 'red shoes'],
    ['https://www.bing.com/search?q=buty', 'buty'],
    ['https://search.yahoo.com/search?p=schuhe', 'schuhe'],
    ['https://duckduckgo.com/?q=%F0%9F%91%9F', '👟'],
    ['https://www.baidu.com/s?wd=%E9%9E%8B', '鞋'],
    ['https://yandex.ru/search/?text=%D0%BE%D0%B1%D1%83%D0%B2%D1%8C', 'обувь'],
    ['https://www.startpage.com/do/search?query=zapatos', 'zapatos'],
    ['https://www.google.com/', undefined],
    ['https://www.google.com/search?q=+', undefined],
    ['https://shop.example/search?q=shoes', undefined],
    ['https://constructor.example/?q=shoes', undefined],
    ['not an address', undefined],
    ['', undefined],
  ];
  for (const [referrer, keyword] of referrers) {
    it(`of "${referrer}" is ${keyword}`, () => expect(searchKeywordOf(referrer)).toBe(keyword));
  }

  it('is the decoded query', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (keyword) => {
        const referrer = `https://www.google.com/search?q=${encodeURIComponent(keyword)}`;
        expect(searchKeywordOf(referrer)).toBe(keyword.trim() || undefined);
      }),
    );
  });

  it('never throws, whatever a browser sends', () => {
    fc.assert(fc.property(anyText, (text) => (searchKeywordOf(text) ?? '').length <= 2048));
  });
});
