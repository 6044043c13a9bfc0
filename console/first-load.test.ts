import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const DIST = new URL('../dist/console/', import.meta.url);
const KIB = 1024;

/** What a browser fetches before the first page can be drawn. */
const readFirstFiles = (): string[] => {
  const page = readFileSync(new URL('index.html', DIST), 'utf8');
  return [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
};

const weigh = (ending: string): number =>
  readFirstFiles()
    .filter((path) => path.endsWith(ending))
    .reduce((sum, path) => sum + gzipSync(readFileSync(new URL(path, DIST)), { level: 9 }).length, 0);

it('is light: at most 220 KiB of script and 45 KiB of style, compressed', () => {
  expect(readFirstFiles().length).toBeGreaterThan(2);
  expect(weigh('.js')).toBeLessThanOrEqual(220 * KIB);
  expect(weigh('.css')).toBeLessThanOrEqual(45 * KIB);
});
