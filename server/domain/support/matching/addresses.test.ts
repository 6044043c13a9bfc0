import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressMatcher, readAddress } from './addresses.ts';

const same = (page: string, meant: string): boolean => createAddressMatcher(meant).isPage(readAddress(page));
const contains = (page: string, part: string): boolean => createAddressMatcher(part).isPart(readAddress(page));

describe('page equality', () => {
  const pages: [page: string, meant: string, same: boolean, why: string][] = [
    ['https://shop.example/pricing', 'https://shop.example/pricing', true, 'the same text'],
    ['https://shop.example/pricing', 'http://shop.example/pricing', true, 'the scheme does not count'],
    ['https://shop.example/pricing', '//shop.example/pricing', true, 'nor does a missing one'],
    ['https://www.shop.example/pricing', 'shop.example/pricing', true, 'nor www'],
    ['https://shop.example/pricing', 'WWW.Shop.Example/Pricing', true, 'nor case'],
    ['https://shop.example/pricing/', 'shop.example/pricing', true, 'nor a closing slash'],
    ['https://shop.example/pricing', 'shop.example/pricing//', true, 'nor several'],
    ['https://shop.example', 'https://shop.example/', true, 'not even at home'],
    ['https://shop.example/pricing/?a=1', 'shop.example/pricing?a=1', true, 'nor before a query'],
    ['https://shop.example/pricing?', 'shop.example/pricing', true, 'nor an empty query'],
    ['https://shop.example/pricing#plans', 'shop.example/pricing', true, 'nor a fragment'],
    ['https://shop.example/pricing', 'shop.example/pricing#plans', true, 'on either side'],
    ['https://shop.example:443/pricing', 'shop.example/pricing', true, 'nor a default port'],
    ['https://shop.example/caf%C3%A9', 'shop.example/café', true, 'nor escapes'],
    ['https://shop.example/cafe%CC%81', 'shop.example/café', true, 'nor how a letter is composed'],
    ['https://xn--mller-kva.example/', 'müller.example', true, 'nor how a browser writes a name'],
    ['https://shop.example/pricing', '\u200fshop.example/pricing ', true, 'nor marks that came along with a copy'],
    ['https://shop.example/pricing', '/pricing', true, 'a path is meant on any host'],
    ['https://shop.example/pricing/?a=1', '/pricing?a=1', true, 'with its query'],
    ['https://shop.example/', '/', true, 'a slash is the home page'],
    ['https://shop.example/pricing', '/', false, 'and no other'],
    ['', '/', false, 'no page has no path'],
    ['https://shop.example/#/cart', 'shop.example/#/cart', true, 'a route is a page'],
    ['https://shop.example/#!cart', 'shop.example', false, 'of its own'],
    ['https://shop.example/pricing?a=1', 'shop.example/pricing', false, 'a query counts'],
    ['https://shop.example/pricing?a=1&b=2', 'shop.example/pricing?b=2&a=1', false, 'so does its order'],
    ['https://shop.example:8080/', 'shop.example', false, 'so does another port'],
    ['https://eu.shop.example/', 'shop.example', false, 'so does a subdomain'],
    ['https://shop.example/pricing-old', 'shop.example/pricing', false, 'so does every letter'],
    ['https://notshop.example/', 'shop.example', false, 'at the beginning, too'],
    ['https://shop.example/100%', 'shop.example/100%', true, 'an invalid escape is text'],
    ['file:///C:/shop.html', 'file:///c:/shop.html', true, 'any scheme can be compared'],
    ['', '', true, 'nothing is nothing'],
  ];
  for (const [page, meant, expected, why] of pages) {
    it(`${page} ${expected ? 'is' : 'is not'} ${meant}: ${why}`, () => expect(same(page, meant)).toBe(expected));
  }
});

describe('page containment', () => {
  const parts: [page: string, part: string, contained: boolean, why: string][] = [
    ['https://shop.example/pricing', 'pricing', true, 'a word'],
    ['https://shop.example/Pricing', '/PRICING', true, 'in any case'],
    ['https://shop.example/pricing', '/pricing/', true, 'a closing slash may be missing'],
    ['https://shop.example/pricing-old', '/pricing/', false, 'but it ends a word'],
    ['https://shop.example/pricing?a=1', '/pricing/?a', true, 'before a query as well'],
    ['https://www.shop.example/pricing', 'http://shop.example', true, 'scheme and www do not count'],
    ['https://notshop.example/', 'http://shop.example', false, 'but say where the host begins'],
    ['https://notshop.example/', 'shop.example', true, 'which a bare host does not'],
    [
      'https://shop.example/login?to=https://www.pay.example',
      'https://www.pay.example',
      true,
      'an address in an address',
    ],
    ['https://shop.example/', 'https://', true, 'the scheme alone'],
    ['http://shop.example/', 'https://', false, 'as it is written'],
    ['https://shop.example/a#reviews', '#reviews', true, 'a fragment, when asked for'],
    ['https://shop.example/?utm_source=mail', 'utm_source=mail', true, 'a parameter'],
    ['https://shop.example/%F0%9F%91%9F', '👟', true, 'an emoji'],
    ['https://shop.example/%D7%A9%D7%9C%D7%95%D7%9D', 'שלום', true, 'a right-to-left word'],
    ['https://shop.example/', '', false, 'nothing is in no address'],
    ['https://shop.example/aaa', '.*', false, 'no pattern'],
    ['https://shop.example/(a+)+$', '(a+)+$', true, 'signs are signs'],
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
