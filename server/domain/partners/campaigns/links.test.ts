import { describe, expect, it } from 'vitest';
import { isLandingPage, landingUrlOf, newCode, shortUrlOf } from './links.ts';

const site = { publicUrl: () => 'https://chat.example/base', landingHosts: ['www.example.com', 'shop.example:8443'] };
const campaign = { partnerId: 7, product: 'mainchat', slug: 'pp_summer', landingUrl: null } as const;

describe('isLandingPage', () => {
  it.each([
    'https://chat.example/base/products/mainchat',
    'https://chat.example/pricing?plan=team#top',
    'https://www.example.com/',
    'http://www.example.com/landing',
    'https://WWW.Example.com/landing',
    'https://shop.example:8443/a',
  ])('is true for %s', (url) => expect(isLandingPage(site, url)).toBe(true));

  it.each([
    'https://evil.example/',
    'https://chat.example.evil.example/',
    'https://chat.example@evil.example/',
    'https://user:secret@chat.example/',
    'http://chat.example/',
    'https://chat.example:8443/',
    'https://shop.example/',
    '//www.example.com/',
    '/products/mainchat',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://www.example.com/',
    'https://chat.example/base/go/abcdefghij',
    'https://chat.example/base/%67o/abcdefghij',
    'https://chat.example/base/x/../go/abcdefghij',
    'https://chat.example/%zz',
    'nonsense',
    '',
  ])('is false for %s', (url) => expect(isLandingPage(site, url)).toBe(false));
});

describe('links of a campaign', () => {
  it('the landing page URL names the partner', () => {
    expect(landingUrlOf(site, campaign)).toBe('https://chat.example/base/products/mainchat?a=7&utm_campaign=pp_summer');
    const elsewhere = { ...campaign, landingUrl: 'https://www.example.com/x?plan=team&a=9#top' };
    expect(landingUrlOf(site, elsewhere)).toBe('https://www.example.com/x?plan=team&a=7&utm_campaign=pp_summer#top');
  });

  it('a link keeps UTM values that a partner adds, but never another partner id', () => {
    const extra = { utm_medium: 'mail & more', a: '9', utm_campaign: 'pp_other' };
    expect(landingUrlOf(site, campaign, extra)).toBe(
      'https://chat.example/base/products/mainchat?utm_medium=mail+%26+more&a=7&utm_campaign=pp_summer',
    );
  });

  it('a campaign also has a short link', () => {
    expect(shortUrlOf(site, 'abc')).toBe('https://chat.example/base/go/abc');
    expect(newCode()).toMatch(/^[a-z2-9]{10}$/);
  });
});
