import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ClusterLocation, changeOwner, findOwner } from './embedded-root.ts';
import { StartError } from './start-error.ts';

const run = promisify(execFile);

export const PORT = 5432;
export const CLEAN_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

const MEGABYTE = 1024 * 1024;
const MIN_BUFFERS = 128;
const MAX_BUFFERS = 2048;

/**
 * An eighth of the memory, or of the container's limit, because searching a large archive reads pages from many places.
 */
const chooseBuffers = (): string => {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem()) / MEGABYTE;
  return `${Math.floor(Math.min(MAX_BUFFERS, Math.max(MIN_BUFFERS, memory / 8)))}MB`;
};

// Written to postgresql.conf when the cluster is created; operators may change them there.
const SETTINGS = {
  shared_buffers: chooseBuffers(),
  max_connections: '200',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** Creates the cluster if there is none; rejects one of an unsupported version. */
export const makeCluster = async (location: ClusterLocation, durable: boolean): Promise<void> => {
  const cluster = join(location.home, 'postgres');
  const version = await readVersion(cluster);
  if (version === location.binaries.major) return;
  if (version !== undefined) {
    throw new StartError(
      `The database in ${cluster} was created by PostgreSQL ${version}, but this is PostgreSQL ${location.binaries.major}. ` +
        `Dump it with the old version and restore it, or set DATABASE_URL to a PostgreSQL ${version} server.`,
    );
  }
  // initdb works in a temporary folder, so that an existing cluster is always complete.
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await changeOwner(location.runAs.ids, unfinished);
  await initialize(location, unfinished, durable);
  await rename(unfinished, cluster).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(
      `${cluster} is not empty but does not contain a PostgreSQL cluster (${cause.code}). Move or delete it.`,
      {
        cause,
      },
    );
  });
  await persistRename(location.home);
};

const initialize = async (location: ClusterLocation, folder: string, durable: boolean): Promise<void> => {
  const [file = '', ...args] = [
    ...location.runAs.wrapper,
    join(location.binaries.root, 'bin/initdb'),
    ...['-D', folder, '-U', 'parley', '--encoding=UTF8', '--data-checksums', '--no-instructions'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth-local=trust', '--auth-host=reject'],
    ...(durable ? [] : ['--no-sync']),
    ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  await run(file, args, { cwd: '/', env: CLEAN_ENVIRONMENT, ...location.runAs.ids }).catch((cause) => {
    throw new StartError(`Could not create the database: ${cause.stderr?.trim() || cause.message}`, { cause });
  });
};

const readVersion = async (cluster: string): Promise<string | undefined> => {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`The database in ${cluster} belongs to another user: ${(error as Error).message}`);
  }
};

const persistRename = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
};

/** A private folder for the socket, with a path short enough for the kernel's limit of 107 bytes. */
export const makeSocketDirectory = async (location: ClusterLocation): Promise<string> => {
  const { uid = process.getuid!(), gid = process.getgid!() } = location.runAs.ids;
  const name = `parley-${uid}-${createHash('sha256').update(location.home).digest('hex').slice(0, 16)}`;
  const choices = [join(location.home, 'postgres-socket'), join(tmpdir(), name), join('/tmp', name)];
  const folder = choices.find((path) => Buffer.byteLength(`${path}/.s.PGSQL.${PORT}`) <= 107)!;
  const created = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (created) {
    await chown(folder, uid, gid);
    await chmod(folder, 0o700);
  }
  if (!(await isPrivateTo(uid, folder))) {
    throw new StartError(`${folder} must be a folder owned by user ${uid} with mode 0700. Delete it and start again.`);
  }
  return folder;
};

/** Another user could have replaced a folder below the shared temporary folder. */
export const isTrustedSocketDirectory = async (folder: string, cluster: string): Promise<boolean> => {
  const owner = await findOwner(cluster);
  return owner !== undefined && isPrivateTo(owner.uid, folder);
};

/** Removes the folder from the temporary folder. */
export const removeSocketDirectory = async (folder: string): Promise<void> => {
  await rmdir(folder).catch(() => undefined);
};

const isPrivateTo = async (uid: number, folder: string): Promise<boolean> => {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
};
