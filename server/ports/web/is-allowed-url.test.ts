import { expect, it } from 'vitest';
import { createUrlCheck } from './is-allowed-url.ts';

const strict = createUrlCheck({ allowPrivate: false });
const lenient = createUrlCheck({ allowPrivate: true });

it.each(['https://shop.example/hook', 'http://shop.example:8080/', 'http://93.184.215.14/', 'https://[2606:4700::1]/'])(
  'allows calls to %s',
  (url) => {
    expect(strict(url)).toBe(true);
    expect(lenient(url)).toBe(true);
  },
);

it.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://169.254.169.254/latest',
  'http://10.1.2.3/',
  'http://localhost/',
  'http://x.localhost./',
  'http://shop.example:25/',
])('allows %s only if private addresses are allowed', (url) => {
  expect(strict(url)).toBe(false);
  expect(lenient(url)).toBe(true);
});

it.each([
  '',
  'shop.example',
  'ftp://shop.example/',
  'javascript:alert(1)',
  'https://user:word@shop.example/',
  'http://',
])('never allows %j', (url) => {
  expect(strict(url)).toBe(false);
  expect(lenient(url)).toBe(false);
});
