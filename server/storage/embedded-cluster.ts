import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOwner, giveTo, type Place } from './embedded-root.ts';
import { StartError } from './start-error.ts';

const run = promisify(execFile);

export const port = 5432;
export const cleanEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

// Written into postgresql.conf when the cluster is made; whoever runs the server may change them there.
const settings = {
  shared_buffers: '128MB',
  max_connections: '200',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** Makes the cluster when there is none; refuses one that these programs cannot serve. */
export async function makeCluster(place: Place, durable: boolean): Promise<void> {
  const cluster = join(place.home, 'postgres');
  const version = await readVersion(cluster);
  if (version === place.binaries.major) return;
  if (version !== undefined) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${version}, but this is PostgreSQL ${place.binaries.major}. ` +
        `Dump it with the old version and restore it, or set DATABASE_URL to a PostgreSQL ${version} server.`,
    );
  }
  // initdb works beside the final place, so a cluster that stands there is always a whole one.
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await giveTo(place.runAs.ids, unfinished);
  await initialize(place, unfinished, durable);
  await rename(unfinished, cluster).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`${cluster} is no PostgreSQL cluster, yet not empty (${cause.code}). Move it away.`, {
      cause,
    });
  });
  await persistRename(place.home);
}

async function initialize(place: Place, folder: string, durable: boolean): Promise<void> {
  const [file = '', ...args] = [
    ...place.runAs.wrapper,
    join(place.binaries.root, 'bin/initdb'),
    ...['-D', folder, '-U', 'parley', '--encoding=UTF8', '--data-checksums', '--no-instructions'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth-local=trust', '--auth-host=reject'],
    ...(durable ? [] : ['--no-sync']),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  await run(file, args, { cwd: '/', env: cleanEnvironment, ...place.runAs.ids }).catch((cause) => {
    throw new StartError(`Could not create the database: ${cause.stderr?.trim() || cause.message}`, { cause });
  });
}

async function readVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`The database in ${cluster} belongs to another user: ${(error as Error).message}`);
  }
}

async function persistRename(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

/** A folder of our own for the socket, short enough for the 107 bytes that the kernel allows an address. */
export async function makeSocketDirectory(place: Place): Promise<string> {
  const { uid = process.getuid!(), gid = process.getgid!() } = place.runAs.ids;
  const name = `parley-${uid}-${createHash('sha256').update(place.home).digest('hex').slice(0, 16)}`;
  const choices = [join(place.home, 'postgres-socket'), join(tmpdir(), name), join('/tmp', name)];
  const folder = choices.find((path) => Buffer.byteLength(`${path}/.s.PGSQL.${port}`) <= 107)!;
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (made) {
    await chown(folder, uid, gid);
    await chmod(folder, 0o700);
  }
  if (!(await isPrivateTo(uid, folder))) {
    throw new StartError(`${folder} must be a folder that belongs to user ${uid} alone (mode 0700). Remove it.`);
  }
  return folder;
}

/** Below the shared temporary folder, a folder left unwatched might have been replaced by somebody else's. */
export async function isTrustedSocketDirectory(folder: string, cluster: string): Promise<boolean> {
  const owner = await findOwner(cluster);
  return owner !== undefined && isPrivateTo(owner.uid, folder);
}

/** Leaves nothing behind in the temporary folder. */
export async function removeSocketDirectory(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

async function isPrivateTo(uid: number, folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0;
}
