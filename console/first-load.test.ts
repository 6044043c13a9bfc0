import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const DIST = new URL('../dist/console/', import.meta.url);
const KIB = 1024;

/** The files that a browser fetches before it can draw the first page: those the document names and the shared texts. */
const readFirstFiles = (): string[] => {
  const page = readFileSync(new URL('index.html', DIST), 'utf8');
  const named = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
  const texts = readdirSync(new URL('assets/', DIST)).filter((name) => /^common-[\w-]+\.js$/.test(name));
  return [...named, ...texts.map((name) => `assets/${name}`)];
};

const weigh = (ending: string): number =>
  readFirstFiles()
    .filter((path) => path.endsWith(ending))
    .reduce((sum, path) => sum + gzipSync(readFileSync(new URL(path, DIST)), { level: 9 }).length, 0);

it('loads at most 220 KiB of script and 45 KiB of styles (gzip) before the first page', () => {
  expect(readFirstFiles().some((path) => path.startsWith('assets/common-'))).toBe(true);
  expect(weigh('.js')).toBeLessThanOrEqual(220 * KIB);
  expect(weigh('.css')).toBeLessThanOrEqual(45 * KIB);
});
