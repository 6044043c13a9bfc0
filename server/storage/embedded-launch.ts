import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CLEAN_ENVIRONMENT, makeSocketDirectory, PORT } from './embedded-cluster.ts';
import { clearStaleLocks, waitWhileStarting } from './embedded-process.ts';
import { type ClusterLocation, changeOwner } from './embedded-root.ts';
import type { Running } from './embedded-watch.ts';
import { StartError } from './start-error.ts';

const SLOW_START_MS = 3_000;
const MAX_LOG_BYTES = 10_000_000;
const WAIT_MS = 50;
const MAX_ATTEMPTS = 100;

/** Starts the server of an existing cluster and waits until it accepts connections. */
export const launch = async (
  location: ClusterLocation,
  dataDir: string,
  durable: boolean,
  onProgress: (line: string) => void,
  patience = MAX_ATTEMPTS,
): Promise<Running> => {
  const cluster = join(location.home, 'postgres');
  const socketDir = await makeSocketDirectory(location);
  await clearStaleLocks(cluster, socketDir, PORT);
  const log = await openLog(location, dataDir);
  const [file = '', ...args] = [
    ...location.runAs.wrapper,
    ...[join(location.binaries.root, 'bin/postgres'), '-D', cluster, '-k', socketDir, '-p', `${PORT}`],
    ...['-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700'],
    ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']),
  ];
  // Runs in its own session, so that neither Ctrl-C nor the death of this process stops the database.
  const child = spawn(file, args, {
    cwd: '/',
    detached: true,
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', log.handle.fd, log.handle.fd],
    ...location.runAs.ids,
  });
  let how: string | undefined;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  void ended.then((reason) => {
    how = reason;
  });
  child.unref();
  await log.handle.close();

  const slow = setTimeout(
    () => onProgress('The database is still starting; after an unclean stop it recovers first …'),
    SLOW_START_MS,
  );
  const server = await waitWhileStarting(child.pid ?? 0, cluster, () => how === undefined);
  clearTimeout(slow);
  if (server) return { server, ended: () => ended };

  const reason = (await readFile(log.path)).subarray(log.size).toString('utf8').trim();
  if (patience > 0 && reason.includes('pre-existing shared memory block')) {
    // The child processes of a killed server hold the cluster for a moment.
    await delay(WAIT_MS);
    return launch(location, dataDir, durable, onProgress, patience - 1);
  }
  throw new StartError(`The embedded PostgreSQL did not start: ${how}. Log (${log.path}):\n${reason}`);
};

const openLog = async (location: ClusterLocation, dataDir: string) => {
  const path = join(dataDir, 'postgres.log');
  const before = await stat(path).catch(() => undefined);
  if (before && before.size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
  const handle = await open(path, 'a', 0o600);
  await changeOwner(location.runAs.ids, path);
  return { path, handle, size: (await handle.stat()).size };
};
