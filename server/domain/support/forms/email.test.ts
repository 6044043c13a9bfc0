import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmail } from './email.ts';

describe('isEmail', () => {
  const good = [
    'ada@shop.example',
    'ada.lovelace+chat@mail.shop.example',
    "o'neil_1@shop.example",
    'jörg@müller.example',
    '用户@例子.example',
    'ada@xn--mller-kva.example',
    'ADA@SHOP.EXAMPLE',
  ];
  for (const text of good) it(`accepts ${text}`, () => expect(isEmail(text)).toBe(true));

  const bad = [
    ...['', '@', 'ada', 'ada@', '@shop.example', 'ada@localhost', 'ada@shop', 'ada@@shop.example', 'a@b@shop.example'],
    ...['ada @shop.example', 'ada@shop .example', '.ada@shop.example', 'ada..l@shop.example', 'ada@.example'],
    ...['ada@shop..example', 'ada@-shop.example', 'ada@shop-.example', '""@shop.example', '"ada"@shop.example'],
    ...['ada@shop.example\r\nBcc: x@y.example', 'Ada <ada@shop.example>', 'a,b@shop.example', 'ada@[127.0.0.1]'],
    ...['a\u202eda@shop.example', 'ada\u0000@shop.example', `${'a'.repeat(65)}@shop.example`],
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`,
  ];
  for (const text of bad) it(`rejects ${JSON.stringify(text)}`, () => expect(isEmail(text)).toBe(false));

  it('accepts only what strict parsers accept', () => {
    fc.assert(fc.property(fc.emailAddress(), (text) => isEmail(text)));
  });
});
