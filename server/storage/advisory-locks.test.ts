import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

it('is the only file that takes advisory locks by their ids', () => {
  const server = path.join(import.meta.dirname, '..');
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const others = files.filter(
    (name) =>
      !name.endsWith('.test.ts') && /pg_(try_)?advisory_xact/.test(readFileSync(path.join(server, name), 'utf8')),
  );
  expect(others).toEqual([path.join('storage', 'advisory-locks.ts')]);
});
