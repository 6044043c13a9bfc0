import { describe, expect, it } from 'vitest';
import { writeCsv } from './csv.ts';
import { safeImage, safeLink } from './safe-url.ts';

describe('content from users', () => {
  it.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])(
    'is not rendered as a link: %s',
    (address) => {
      expect(safeLink(address)).toBeUndefined();
      expect(safeImage(address)).toBeUndefined();
    },
  );

  it('is never a spreadsheet formula', () => {
    const rows = [['=1+1', '+49', '@x', '-2', -2, 'a "b", c', null]];
    expect(writeCsv(rows)).toBe(`"'=1+1","'+49","'@x",-2,-2,"a ""b"", c",\r\n`);
  });
});
