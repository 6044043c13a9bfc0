import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './embedded-binaries.ts';
import { StartError } from './start-error.ts';

const run = promisify(execFile);

/** How to start a program that does not run as root: through a wrapper command, under other ids, or directly. */
export interface RunAs {
  wrapper: string[];
  ids: { uid?: number; gid?: number };
}

/** The location of the cluster, the programs that serve it, and the user who runs them. */
export interface ClusterLocation {
  home: string;
  binaries: Binaries;
  runAs: RunAs;
}

export interface RootOptions {
  /** Forces one of the two modes; by default the namespace is preferred. */
  mode?: 'namespace' | 'nobody';
  /** Where clusters and programs are placed if another user could not access them. */
  sharedDir?: string;
}

/** The folder of the cluster: the data directory, unless a pointer file in it names another. */
export const findHome = async (dataDir: string): Promise<string> => {
  const home = await readPointer(dataDir);
  if (home === undefined) return dataDir;
  if (!home.endsWith(homeName(dataDir))) {
    throw new StartError(
      `The database in ${home} was created for a data directory other than ${dataDir}. Move the data directory back, ` +
        `or move the database to ${join(dirname(home), homeName(dataDir))} and write that path into ${pointerFile(dataDir)}.`,
    );
  }
  if (!(await findOwner(join(home, 'postgres')))) {
    throw new StartError(`${pointerFile(dataDir)} says that the database is in ${home}, but there is none.`);
  }
  return home;
};

export const chooseLocation = async (
  dataDir: string,
  home: string,
  binaries: Binaries,
  options: RootOptions,
): Promise<ClusterLocation> => {
  if (process.getuid?.() !== 0) return { home, binaries, runAs: { wrapper: [], ids: {} } };
  const user = await findUnprivilegedUser();
  const owner = await findOwner(join(home, 'postgres'));
  if (options.mode !== 'nobody' && (!owner || owner.uid === 0)) {
    const runAs = enterNamespace(user);
    if (await canRun(runAs, 'test -x "$1" && test -w "$2"', join(binaries.root, 'bin/postgres'), home)) {
      return { home, binaries, runAs };
    }
    if (options.mode === 'namespace') throw new StartError('User namespaces are not permitted here.');
  }
  return chooseUserLocation(owner && owner.uid !== 0 ? owner : user, dataDir, home, binaries, options);
};

const chooseUserLocation = async (
  ids: { uid: number; gid: number },
  dataDir: string,
  home: string,
  binaries: Binaries,
  { sharedDir = '/var/lib/parley' }: RootOptions,
): Promise<ClusterLocation> => {
  const runAs = { wrapper: [], ids };
  const programs = await shareBinaries(binaries, runAs, sharedDir);
  if (await letThrough(home, runAs)) {
    await changeOwner(ids, join(home, 'postgres'));
    return { home, binaries: programs, runAs };
  }
  if (await findOwner(join(home, 'postgres'))) {
    throw new StartError(`PostgreSQL cannot run as root, and user ${ids.uid} cannot reach the database in ${home}.`);
  }
  const elsewhere = join(sharedDir, homeName(dataDir));
  await mkdir(elsewhere, { recursive: true });
  await chmod(sharedDir, 0o755);
  await chmod(elsewhere, 0o711);
  return { home: elsewhere, binaries: programs, runAs };
};

/** Writes the pointer file for findHome. Written after the cluster exists, so that it never points to nothing. */
export const writeLocation = async (dataDir: string, location: ClusterLocation): Promise<void> => {
  await writeFile(pointerFile(dataDir), `${location.home}\n`);
};

/** Changes the owner of a file or folder recursively to the user who runs PostgreSQL. */
export const changeOwner = async (ids: RunAs['ids'], path: string): Promise<void> => {
  const owner = await findOwner(path);
  if (owner && ids.uid !== undefined && owner.uid !== ids.uid)
    await run('chown', ['-R', `${ids.uid}:${ids.gid}`, path]);
};

export const findOwner = async (path: string): Promise<{ uid: number; gid: number } | undefined> => {
  return stat(path).catch(() => undefined);
};

// In a user namespace a root process appears as another user, while its files stay owned by root outside.
const enterNamespace = (user: { uid: number; gid: number }): RunAs => {
  return { wrapper: ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'], ids: {} };
};

// initdb requires a user with a name.
const findUnprivilegedUser = async (): Promise<{ uid: number; gid: number }> => {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'nobody') ?? users.find(([, , uid]) => Number(uid) > 0);
  if (!found) throw new StartError('PostgreSQL cannot run as root, and this machine has no other user.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
};

const canRun = async (runAs: RunAs, script: string, ...args: string[]): Promise<boolean> => {
  const [file = '', ...rest] = [...runAs.wrapper, '/bin/sh', '-c', script, 'sh', ...args];
  return run(file, rest, { cwd: '/', ...runAs.ids }).then(
    () => true,
    () => false,
  );
};

/**
 * Whether the user can access the folder; grants permission to traverse it, not to list it, if only that is missing.
 */
const letThrough = async (folder: string, runAs: RunAs): Promise<boolean> => {
  if (await canRun(runAs, 'test -x "$1"', folder)) return true;
  if (!(await canRun(runAs, 'test -x "$1"', dirname(folder)))) return false;
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o7777) | 0o011);
  return true;
};

const shareBinaries = async (binaries: Binaries, runAs: RunAs, sharedDir: string): Promise<Binaries> => {
  const complete =
    'test -x "$1/bin/postgres" && test -r "$1/share/postgresql/postgres.bki" && test -r "$1/lib/libpq.so.5"';
  if (await canRun(runAs, complete, binaries.root)) return binaries;
  const root = join(sharedDir, `postgresql-${binaries.version}`);
  if (!(await canRun(runAs, complete, root))) {
    const unfinished = `${root}.${process.pid}`;
    await cp(binaries.root, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await run('chmod', ['-R', 'a+rX', unfinished]);
    await chmod(sharedDir, 0o755);
    await rm(root, { recursive: true, force: true });
    await rename(unfinished, root);
  }
  return { ...binaries, root };
};

const readPointer = async (dataDir: string): Promise<string | undefined> => {
  try {
    return (await readFile(pointerFile(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const pointerFile = (dataDir: string): string => {
  return join(dataDir, 'postgres-location');
};

const homeName = (dataDir: string): string => {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
};
