import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomSecret } from '#server/domain/secrets.ts';
import type { Config } from './config.ts';

export interface InstallationSecrets {
  secretKey: string;
  operatorToken: string;
}

/** Reads a secret of this installation, or makes it on the first run. Readable by its owner alone. */
const keep = (dataDir: string, name: string): string => {
  const file = path.join(dataDir, name);
  try {
    const kept = readFileSync(file, 'utf8').trim();
    // An empty secret would match a missing one.
    if (kept === '') throw new Error(`${file} is empty. Restore it from a backup, or delete it to get a new one.`);
    return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomSecret();
  // Written aside and renamed: a start that is cut off leaves no half-written key behind.
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secret;
};

export const loadInstallationSecrets = (config: Config): InstallationSecrets => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  return {
    secretKey: config.secretKey ?? keep(config.dataDir, 'secret-key'),
    operatorToken: config.operatorToken ?? keep(config.dataDir, 'operator-token'),
  };
};
