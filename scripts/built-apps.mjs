import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const hashFile = join(root, 'dist', 'built-from');
const folders = ['console', 'widget', 'browser', 'contracts'];
const files = ['package-lock.json', join('scripts', 'build-apps.mjs')];

/** A hash of everything the browser apps are built from. */
export function hashSources() {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path)),
  );
  const hash = createHash('sha256');
  for (const path of [...found, ...files].filter(isSource).sort()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function isSource(path) {
  return !/\.test\.tsx?$/.test(path) && statSync(join(root, path)).isFile();
}

export function areAppsBuilt() {
  try {
    return readFileSync(hashFile, 'utf8') === hashSources();
  } catch {
    return false;
  }
}

/** `sources` is the hash from before the build, so that changes made during the build lead to another build. */
export function markAppsBuilt(sources) {
  writeFileSync(hashFile, sources);
}
