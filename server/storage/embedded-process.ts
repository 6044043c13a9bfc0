import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** What a running PostgreSQL says of itself in the lock file of its cluster. */
export interface Postmaster {
  pid: number;
  socketDir: string;
  port: number;
  status: string;
}

const POLL_MS = 10;
const LAST_BREATH_MS = 2_000;

/** The server that runs on this cluster, or undefined when the lock file is absent, stale or somebody else's process. */
export const findPostmaster = async (cluster: string): Promise<Postmaster | undefined> => {
  const noted = await readLockFile(cluster);
  return noted && (await isPostmasterOf(noted.pid, cluster)) ? noted : undefined;
};

export const readLockFile = async (cluster: string): Promise<Postmaster | undefined> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), socketDir: lines[4] ?? '', status: lines[7]?.trim() || 'starting' };
};

/**
 * A lock file outlives a crash, and its process id may since belong to anything, or to a zombie. The working folder
 * tells: a postmaster sits in its cluster, even after somebody renamed it. Where that is hidden from us (a container
 * without the right to trace, PostgreSQL under another user) its arguments must do.
 */
export const isPostmasterOf = async (pid: number, cluster: string): Promise<boolean> => {
  const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (basename(program) !== 'postgres') return false;
  try {
    const [inside, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]);
    return inside.dev === wanted.dev && inside.ino === wanted.ino;
  } catch {
    return args.includes(cluster);
  }
};

/** Whether a process is certainly no server of this cluster. Where the kernel hides it from us, nothing is certain. */
const isForeign = async (pid: number, cluster: string): Promise<boolean> => {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (command === undefined) return false;
  // A zombie has no command line left.
  if (!basename(command.split('\0')[0]!).startsWith('postgres')) return true;
  const [inside, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]).catch(() => []);
  return inside !== undefined && wanted !== undefined && (inside.dev !== wanted.dev || inside.ino !== wanted.ino);
};

/** A process that cannot be looked at counts as there. */
export const isGone = async (pid: number, cluster: string): Promise<boolean> =>
  !isAlive(pid) || (await isForeign(pid, cluster));

/**
 * Removes what would stop a start although no server runs: a lock file whose process id now belongs to another program.
 * PostgreSQL itself clears the file of a dead process, and refuses where it is in doubt.
 */
export const clearStaleLocks = async (cluster: string, socketDir: string, port: number): Promise<void> => {
  const file = join(socketDir, `.s.PGSQL.${port}`);
  // The children of a server that was killed keep its socket for a moment.
  for (let waited = 0; await isAnswered(file); waited += POLL_MS) {
    if (waited >= LAST_BREATH_MS)
      throw new StartError(
        `A PostgreSQL that cannot be seen from here, perhaps in another container, uses ${cluster}.`,
      );
    await delay(POLL_MS);
  }
  const noted = await readLockFile(cluster);
  if (!noted || (isAlive(noted.pid) && (await isForeign(noted.pid, cluster))))
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  await rm(join(socketDir, `.s.PGSQL.${port}.lock`), { force: true });
};

/** A socket file says more than a process id: the kernel connects it only while somebody listens, in whichever container. */
const isAnswered = async (file: string): Promise<boolean> => {
  const socket = connect(file);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** Waits until the server has started; returns what it then says of itself, or undefined when the process ended. */
export const waitWhileStarting = async (
  pid: number,
  cluster: string,
  isRunning: () => boolean | Promise<boolean>,
): Promise<Postmaster | undefined> => {
  for (;;) {
    const noted = await readLockFile(cluster);
    if (noted?.pid === pid && noted.status !== 'starting') return noted;
    if (!(await isRunning())) return undefined;
    await delay(POLL_MS);
  }
};

/** A fast shutdown: open transactions are rolled back, everything committed is written. */
export const stopPostmaster = async (pid: number, cluster: string): Promise<void> => {
  if (await isPostmasterOf(pid, cluster)) process.kill(pid, 'SIGINT');
  while (await isPostmasterOf(pid, cluster)) await delay(POLL_MS);
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
