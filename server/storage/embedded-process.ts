import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.ts';

/** The content of the lock file of a running PostgreSQL. */
export interface Postmaster {
  pid: number;
  socketDir: string;
  port: number;
  status: string;
}

const POLL_MS = 10;
const EXIT_TIMEOUT_MS = 2_000;

/** The server of this cluster, or undefined if the lock file is missing, stale or of another process. */
export const findPostmaster = async (cluster: string): Promise<Postmaster | undefined> => {
  const lockFile = await readLockFile(cluster);
  return lockFile && (await isPostmasterOf(lockFile.pid, cluster)) ? lockFile : undefined;
};

export const readLockFile = async (cluster: string): Promise<Postmaster | undefined> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), socketDir: lines[4] ?? '', status: lines[7]?.trim() || 'starting' };
};

/**
 * A lock file survives a crash, and its process id may have been reused. The working directory identifies the
 * postmaster, even after a rename. Where it is hidden (a container without ptrace permission, PostgreSQL under another
 * user), the arguments are compared instead.
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

/** Whether a process is certainly not a server of this cluster. If the kernel hides the process, nothing is certain. */
const isForeign = async (pid: number, cluster: string): Promise<boolean> => {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (command === undefined) return false;
  // A zombie has no command line.
  if (!basename(command.split('\0')[0]!).startsWith('postgres')) return true;
  const [inside, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)]).catch(() => []);
  return inside !== undefined && wanted !== undefined && (inside.dev !== wanted.dev || inside.ino !== wanted.ino);
};

/** A process that cannot be inspected counts as running. */
export const isGone = async (pid: number, cluster: string): Promise<boolean> =>
  !isAlive(pid) || (await isForeign(pid, cluster));

/**
 * Removes a lock file whose process id now belongs to another program, which would prevent a start. PostgreSQL removes
 * the file of a dead process itself, and refuses to start if it is in doubt.
 */
export const clearStaleLocks = async (cluster: string, socketDir: string, port: number): Promise<void> => {
  const file = join(socketDir, `.s.PGSQL.${port}`);
  // The children of a killed server keep its socket for a moment.
  for (let waited = 0; await isAnswered(file); waited += POLL_MS) {
    if (waited >= EXIT_TIMEOUT_MS)
      throw new StartError(`${cluster} is in use by another PostgreSQL, perhaps in another container.`);
    await delay(POLL_MS);
  }
  const lockFile = await readLockFile(cluster);
  if (!lockFile || (isAlive(lockFile.pid) && (await isForeign(lockFile.pid, cluster))))
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  await rm(join(socketDir, `.s.PGSQL.${port}.lock`), { force: true });
};

/** A socket is more reliable than a process id: the kernel connects only while a process listens, in any container. */
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

/** Waits until the server has started and returns its lock file, or undefined if the process ended. */
export const waitWhileStarting = async (
  pid: number,
  cluster: string,
  isRunning: () => boolean | Promise<boolean>,
): Promise<Postmaster | undefined> => {
  for (;;) {
    const lockFile = await readLockFile(cluster);
    if (lockFile?.pid === pid && lockFile.status !== 'starting') return lockFile;
    if (!(await isRunning())) return undefined;
    await delay(POLL_MS);
  }
};

/** A fast shutdown: rolls back open transactions and writes everything committed. */
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
