import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCsv } from './csv.ts';
import { findLinks } from './find-links.ts';
import { safeImage, safeLink } from './safe-url.ts';

describe('what people send', () => {
  it('stays the same text when its links are found', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('https://shop.test/a?b=(1).', 'http://x', 'a.b@shop.test,', 'javascript:alert(1)'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const text = words.join(' ');
        const parts = findLinks(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        const links = parts.flatMap(({ href }) => href ?? []);
        expect(links.filter((href) => !/^(https?|mailto):/.test(href))).toEqual([]);
      }),
    );
  });

  it('leaves the end of a sentence out of a link', () => {
    expect(findLinks('See (https://shop.test/a?b=1).')).toEqual([
      { text: 'See (' },
      { text: 'https://shop.test/a?b=1', href: 'https://shop.test/a?b=1' },
      { text: ').' },
    ]);
  });

  it.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])(
    'is no link: %s',
    (address) => {
      expect(safeLink(address)).toBeUndefined();
      expect(safeImage(address)).toBeUndefined();
    },
  );

  it('is nothing that a spreadsheet runs', () => {
    const rows = [['=1+1', '+49', '@x', '-2', -2, 'a "b", c', null]];
    expect(writeCsv(rows)).toBe(`"'=1+1","'+49","'@x",-2,-2,"a ""b"", c",\r\n`);
  });
});
