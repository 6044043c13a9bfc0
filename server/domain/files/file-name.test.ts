import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanFileName, extensionOf } from './file-name.ts';

it.each([
  ['photo.png', 'photo.png'],
  ['../../x', 'x'],
  ['C:\\Users\\me\\report.pdf', 'report.pdf'],
  ['/etc/passwd', 'passwd'],
  ['a/..', 'file'],
  ['..', 'file'],
  ['.htaccess', 'htaccess'],
  ['', 'file'],
  [' \t\n', 'file'],
  ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie_ x=1.png'],
  ['a\0.png', 'a.png'],
  ['invoice\u202Egnp.exe', 'invoicegnp.exe'],
  ['a.exe. . ', 'a.exe'],
  ['a.exe::$DATA', 'a.exe__$DATA'],
  ['e\u0301te\u0301.txt', '\u00E9t\u00E9.txt'],
  ['👩‍💻.txt', '👩‍💻.txt'],
  ['\uD800.txt', '\uFFFD.txt'],
])('cleans %j to %j', (given, clean) => {
  expect(cleanFileName(given)).toBe(clean);
});

it('shortens to 255 bytes between characters and keeps the extension', () => {
  const name = cleanFileName(`${'ä'.repeat(300)}.jpeg`);
  expect(Buffer.byteLength(name)).toBe(255);
  expect(name).toMatch(/^ä+\.jpeg$/);
  expect(Buffer.byteLength(cleanFileName(`a.${'b'.repeat(400)}`))).toBe(255);
});

it('is idempotent for any input', () => {
  const part = fc.constantFrom('.', '/', '\\', ' ', '\0', '\u202E', ':', 'é', '👍', '.exe');
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.array(part).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(names, (given) => {
      const name = cleanFileName(given);
      expect(name).toMatch(/^[^/\\\p{Cc}\u202A-\u202E]+$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(['.', '..']).not.toContain(name);
      expect(cleanFileName(name)).toBe(name);
      encodeURIComponent(name);
    }),
    { numRuns: 500 },
  );
});

it('returns only the last extension', () => {
  expect(['a.jpg.EXE', 'a.tar.gz', 'none'].map(extensionOf)).toEqual(['exe', 'gz', '']);
});
