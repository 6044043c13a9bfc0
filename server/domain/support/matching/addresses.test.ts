import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressMatcher, readAddress } from './addresses.ts';

const same = (page: string, meant: string): boolean => createAddressMatcher(meant).isPage(readAddress(page));
const contains = (page: string, part: string): boolean => createAddressMatcher(part).isPart(readAddress(page));

describe('page equality', () => {
  const pages: [page: string, meant: string, same: boolean, why: string][] = [
    ['https://shop.example/pricing', 'https://shop.example/pricing', true, 'equal text'],
    ['https://shop.example/pricing', 'http://shop.example/pricing', true, 'the scheme is ignored'],
    ['https://shop.example/pricing', '//shop.example/pricing', true, 'a missing scheme is ignored'],
    ['https://www.shop.example/pricing', 'shop.example/pricing', true, 'www is ignored'],
    ['https://shop.example/pricing', 'WWW.Shop.Example/Pricing', true, 'case is ignored'],
    ['https://shop.example/pricing/', 'shop.example/pricing', true, 'a trailing slash is ignored'],
    ['https://shop.example/pricing', 'shop.example/pricing//', true, 'several trailing slashes are ignored'],
    ['https://shop.example', 'https://shop.example/', true, 'the slash of the home page is ignored'],
    ['https://shop.example/pricing/?a=1', 'shop.example/pricing?a=1', true, 'a slash before the query is ignored'],
    ['https://shop.example/pricing?', 'shop.example/pricing', true, 'an empty query is ignored'],
    ['https://shop.example/pricing#plans', 'shop.example/pricing', true, 'a fragment of the page is ignored'],
    ['https://shop.example/pricing', 'shop.example/pricing#plans', true, 'a fragment of the value is ignored'],
    ['https://shop.example:443/pricing', 'shop.example/pricing', true, 'a default port is ignored'],
    ['https://shop.example/caf%C3%A9', 'shop.example/café', true, 'escapes are decoded'],
    ['https://shop.example/cafe%CC%81', 'shop.example/café', true, 'Unicode composition is ignored'],
    ['https://xn--mller-kva.example/', 'müller.example', true, 'punycode is decoded'],
    ['https://shop.example/pricing', '\u200fshop.example/pricing ', true, 'invisible characters are ignored'],
    ['https://shop.example/pricing', '/pricing', true, 'a path matches on any host'],
    ['https://shop.example/pricing/?a=1', '/pricing?a=1', true, 'a path matches with its query'],
    ['https://shop.example/', '/', true, 'a slash is the home page'],
    ['https://shop.example/pricing', '/', false, 'a slash is no other page'],
    ['', '/', false, 'a missing page has no path'],
    ['https://shop.example/#/cart', 'shop.example/#/cart', true, 'a client-side route is part of the page'],
    ['https://shop.example/#!cart', 'shop.example', false, 'a client-side route is a different page'],
    ['https://shop.example/pricing?a=1', 'shop.example/pricing', false, 'queries are compared'],
    [
      'https://shop.example/pricing?a=1&b=2',
      'shop.example/pricing?b=2&a=1',
      false,
      'the order of parameters is compared',
    ],
    ['https://shop.example:8080/', 'shop.example', false, 'other ports are compared'],
    ['https://eu.shop.example/', 'shop.example', false, 'subdomains are compared'],
    ['https://shop.example/pricing-old', 'shop.example/pricing', false, 'the end of the path is compared'],
    ['https://notshop.example/', 'shop.example', false, 'the start of the host is compared'],
    ['https://shop.example/100%', 'shop.example/100%', true, 'an invalid escape is text'],
    ['file:///C:/shop.html', 'file:///c:/shop.html', true, 'any scheme can be compared'],
    ['', '', true, 'empty texts are equal'],
  ];
  for (const [page, meant, expected, why] of pages) {
    it(`${page} ${expected ? 'is' : 'is not'} ${meant}: ${why}`, () => expect(same(page, meant)).toBe(expected));
  }
});

describe('page containment', () => {
  const parts: [page: string, part: string, contained: boolean, why: string][] = [
    ['https://shop.example/pricing', 'pricing', true, 'a word'],
    ['https://shop.example/Pricing', '/PRICING', true, 'case is ignored'],
    ['https://shop.example/pricing', '/pricing/', true, 'a trailing slash may be missing'],
    ['https://shop.example/pricing-old', '/pricing/', false, 'a trailing slash ends the word'],
    ['https://shop.example/pricing?a=1', '/pricing/?a', true, 'a slash before the query may be missing'],
    ['https://www.shop.example/pricing', 'http://shop.example', true, 'scheme and www are ignored'],
    ['https://notshop.example/', 'http://shop.example', false, 'a scheme requires the start of the host'],
    ['https://notshop.example/', 'shop.example', true, 'a host without a scheme may start anywhere'],
    ['https://shop.example/login?to=https://www.pay.example', 'https://www.pay.example', true, 'a URL inside a URL'],
    ['https://shop.example/', 'https://', true, 'the scheme alone'],
    ['http://shop.example/', 'https://', false, 'the scheme alone is compared exactly'],
    ['https://shop.example/a#reviews', '#reviews', true, 'a fragment'],
    ['https://shop.example/?utm_source=mail', 'utm_source=mail', true, 'a parameter'],
    ['https://shop.example/%F0%9F%91%9F', '👟', true, 'an emoji'],
    ['https://shop.example/%D7%A9%D7%9C%D7%95%D7%9D', 'שלום', true, 'a right-to-left word'],
    ['https://shop.example/', '', false, 'an empty text is never contained'],
    ['https://shop.example/aaa', '.*', false, 'regular expressions are not supported'],
    ['https://shop.example/(a+)+$', '(a+)+$', true, 'special characters are literal'],
  ];
  for (const [page, part, expected, why] of parts) {
    it(`${page} ${expected ? 'contains' : 'does not contain'} ${part}: ${why}`, () =>
      expect(contains(page, part)).toBe(expected));
  }
});

/** Includes lone surrogates and control characters. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
const url = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.stringMatching(/^[a-z]{1,8}\.example(:8080)?$/),
    path: fc.stringMatching(/^(\/[a-zA-Z0-9._~%20-]{0,8}){0,4}$/),
  })
  .map(({ scheme, host, path }) => `${scheme}://${host}${path}`);

describe('any URL', () => {
  it('equals itself regardless of scheme, www and trailing slashes', () => {
    fc.assert(
      fc.property(url, (url) => {
        expect(same(url, url)).toBe(true);
        expect(same(url.toUpperCase(), url.replace(/^https?:/, ''))).toBe(true);
      }),
    );
  });

  it('contains every URL it equals', () => {
    const writings: ((url: string) => string)[] = [
      (url) => url.replace(/^https?:\/\//, ''),
      (url) => url.replace('://', '://www.'),
      (url) => `${url}#top`,
      (url) => `${url}/`,
      (url) => url.toUpperCase(),
    ];
    fc.assert(
      fc.property(url, fc.constantFrom(...writings), (url, write) => {
        expect([same(url, write(url)), contains(url, write(url))]).toEqual([true, true]);
      }),
    );
    fc.assert(fc.property(anyText, (text) => contains(text, text)));
  });

  it('contains each of its substrings', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), fc.nat(20), fc.nat(20), (path, from, length) => {
        const part = path.slice(from, from + length + 1);
        expect(part === '' || contains(`https://shop.example/${path}`, part)).toBe(true);
      }),
    );
  });

  it('can have any length', () => {
    expect(contains(`https://shop.example/${'a'.repeat(1_000_000)}`, 'shop.example/aaa')).toBe(true);
  });
});
