import { expect, it } from 'vitest';
import { maskEmail } from './mask-email.ts';

it.each([
  ['olga@shop.test', 'o***@s***.test'],
  ['Ö@mail.shop.co.uk', 'Ö***@m***.uk'],
  ['x@localhost', 'x***@l***'],
  ['', '***@***'],
])('%s is masked as %s', (email, masked) => expect(maskEmail(email)).toBe(masked));
