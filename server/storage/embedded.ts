import { spawn } from 'node:child_process';
import { mkdir, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './embedded-binaries.ts';
import {
  CLEAN_ENVIRONMENT,
  isTrustedSocketDirectory,
  makeCluster,
  makeSocketDirectory,
  PORT,
  removeSocketDirectory,
} from './embedded-cluster.ts';
import {
  clearStaleLocks,
  findPostmaster,
  isPostmasterOf,
  type Postmaster,
  stopPostmaster,
  waitWhileStarting,
} from './embedded-process.ts';
import { choosePlace, findHome, giveTo, notePlace, type Place, type RootOptions } from './embedded-root.ts';
import { StartError } from './start-error.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** False gives up safety for speed: for tests. */
  durable?: boolean;
  onProgress?: (line: string) => void;
  /** How to run when the process is root, which PostgreSQL refuses. */
  asRoot?: RootOptions;
}

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: 'parley'; database: 'parley'; ssl: false };
  pid: number;
  /** True when the server was still running from before, its former parent gone. */
  reused: boolean;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL of a data directory, or finds the one that a killed parent left running there. */
export const startEmbeddedPostgres = async (options: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const { durable = true, onProgress = () => {}, asRoot = {} } = options;
  await mkdir(resolve(options.dataDir), { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const home = await findHome(dataDir);

  const adopted = await adoptRunning(join(home, 'postgres'));
  if (adopted) return present(adopted, join(home, 'postgres'), true);

  const place = await choosePlace(dataDir, home, await findBinaries(), asRoot);
  await makeCluster(place, durable);
  if (place.home !== home) await notePlace(dataDir, place);
  const started = await launch(place, dataDir, durable, onProgress);
  await ensureDatabase(started);
  return present(started, join(place.home, 'postgres'), false);
};

const present = (server: Postmaster, cluster: string, reused: boolean): EmbeddedPostgres => {
  return {
    connection: connectTo(server),
    pid: server.pid,
    reused,
    async stop() {
      await stopPostmaster(server.pid, cluster);
      await removeSocketDirectory(server.socketDir);
    },
  };
};

const adoptRunning = async (cluster: string): Promise<Postmaster | undefined> => {
  const found = await findPostmaster(cluster);
  if (!found) return undefined;
  const server = await waitWhileStarting(found.pid, cluster, () => isPostmasterOf(found.pid, cluster));
  if (server?.status === 'ready' && (await isTrustedSocketDirectory(server.socketDir, cluster))) {
    try {
      await ensureDatabase(server);
      return server;
    } catch {
      // It runs but does not answer: its socket was removed, or it is about to stop. A fresh one will answer.
    }
  }
  await stopPostmaster(found.pid, cluster);
  return undefined;
};

const launch = async (
  place: Place,
  dataDir: string,
  durable: boolean,
  onProgress: (line: string) => void,
  patience = 100,
): Promise<Postmaster> => {
  const cluster = join(place.home, 'postgres');
  const socketDir = await makeSocketDirectory(place);
  await clearStaleLocks(cluster, socketDir, PORT);
  const log = await openLog(place, dataDir);
  const [file = '', ...args] = [
    ...place.runAs.wrapper,
    ...[join(place.binaries.root, 'bin/postgres'), '-D', cluster, '-k', socketDir, '-p', `${PORT}`],
    ...['-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700'],
    ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']),
  ];
  // In a session of its own: neither Ctrl-C in the terminal nor the death of this process may crash the database.
  const child = spawn(file, args, {
    cwd: '/',
    detached: true,
    env: CLEAN_ENVIRONMENT,
    stdio: ['ignore', log.handle.fd, log.handle.fd],
    ...place.runAs.ids,
  });
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  await log.handle.close();

  const slow = setTimeout(
    () => onProgress('The database is still starting; after an unclean stop it recovers first …'),
    3000,
  );
  const server = await waitWhileStarting(child.pid ?? 0, cluster, () => ended === undefined);
  clearTimeout(slow);
  if (server) return server;

  const said = (await readFile(log.path)).subarray(log.size).toString('utf8').trim();
  if (patience > 0 && said.includes('pre-existing shared memory block')) {
    // The processes of a killed server notice its death only a moment later; until then they hold the cluster.
    await delay(50);
    return launch(place, dataDir, durable, onProgress, patience - 1);
  }
  throw new StartError(`The embedded PostgreSQL did not start: ${ended}. It said (${log.path}):\n${said}`);
};

const openLog = async (place: Place, dataDir: string) => {
  const path = join(dataDir, 'postgres.log');
  const before = await stat(path).catch(() => undefined);
  if (before && before.size > 10_000_000) await rename(path, `${path}.1`);
  const handle = await open(path, 'a', 0o600);
  await giveTo(place.runAs.ids, path);
  return { path, handle, size: (await handle.stat()).size };
};

const connectTo = (server: Postmaster): EmbeddedPostgres['connection'] => {
  return { host: server.socketDir, port: server.port, user: 'parley', database: 'parley', ssl: false };
};

/** Proves that the server answers, and makes our database where it is missing. */
const ensureDatabase = async (server: Postmaster): Promise<void> => {
  try {
    await withClient({ ...connectTo(server) }, (client) => client.query('select 1'));
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error;
    await withClient({ ...connectTo(server), database: 'postgres' }, (client) =>
      client.query('create database parley'),
    );
  }
};

const withClient = async (settings: pg.ClientConfig, use: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: 5000 });
  // A connection that breaks between two statements reports it here; unheard, it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
};
