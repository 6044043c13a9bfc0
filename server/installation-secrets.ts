import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomSecret } from '#server/domain/secrets.ts';
import type { Config } from './config.ts';
import { StartError } from './storage/start-error.ts';

export interface InstallationSecrets {
  secretKey: string;
  operatorToken: string;
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Writes to a temporary file and links it, so that an interrupted start leaves no partial key, and of several processes only the
 * first one succeeds.
 */
const createSecret = (file: string): void => {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${randomSecret()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};

/** Reads a secret of this installation; creates it on the first run. Only its owner can read the file. */
const readOrCreate = (dataDir: string, name: string): string => {
  const file = path.join(dataDir, name);
  if (read(file) === undefined) createSecret(file);
  const secret = read(file);
  // An empty secret would match a missing one.
  if (!secret) throw new StartError(`${file} is empty. Restore it from a backup, or delete it to get a new one.`);
  return secret;
};

export const loadInstallationSecrets = (config: Config): InstallationSecrets => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  return {
    secretKey: config.secretKey ?? readOrCreate(config.dataDir, 'secret-key'),
    operatorToken: config.operatorToken ?? readOrCreate(config.dataDir, 'operator-token'),
  };
};
