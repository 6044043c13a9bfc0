import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What a running PostgreSQL says of itself in the lock file of its cluster. */
export interface Postmaster {
  pid: number;
  socketDir: string;
  port: number;
  status: string;
}

const POLL_MS = 10;

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

/** Removes what would stop a start although no server runs. PostgreSQL itself clears the file of a dead process. */
export const clearStaleLocks = async (cluster: string, socketDir: string, port: number): Promise<void> => {
  const noted = await readLockFile(cluster);
  if (!noted || isAlive(noted.pid)) await rm(join(cluster, 'postmaster.pid'), { force: true });
  await rm(join(socketDir, `.s.PGSQL.${port}.lock`), { force: true });
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
