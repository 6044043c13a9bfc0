import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { findBinaries } from './embedded-binaries.ts';
import { isTrustedSocketDirectory, makeCluster, removeSocketDirectory } from './embedded-cluster.ts';
import { launch } from './embedded-launch.ts';
import {
  findPostmaster,
  isPostmasterOf,
  type Postmaster,
  stopPostmaster,
  waitWhileStarting,
} from './embedded-process.ts';
import { chooseLocation, findHome, findOwner, type RootOptions, writeLocation } from './embedded-root.ts';
import { keepRunning, type Running, waitUntilGone } from './embedded-watch.ts';
import { StartError } from './start-error.ts';

export interface EmbeddedOptions {
  dataDir: string;
  /** False trades durability for speed, for tests. */
  durable?: boolean;
  onProgress?: (line: string) => void;
  /** If given, the server is restarted whenever it ends unexpectedly; called if that fails. */
  onLost?: (error: Error) => void;
  /** How to run as root, which PostgreSQL rejects. */
  asRoot?: RootOptions;
}

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: 'parley'; database: 'parley'; ssl: false };
  pid: number;
  /** True if the server was still running after its parent had died. */
  reused: boolean;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL of a data directory, or finds one that a killed parent left running. */
export const startEmbeddedPostgres = async (options: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  const { durable = true, onProgress = () => {}, asRoot = {} } = options;
  await mkdir(resolve(options.dataDir), { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const home = await findHome(dataDir);

  const adopted = await adoptRunning(join(home, 'postgres'));
  if (adopted) return present(options, dataDir, adopted, true);

  const location = await chooseLocation(dataDir, home, await findBinaries(), asRoot);
  await makeCluster(location, durable);
  if (location.home !== home) await writeLocation(dataDir, location);
  const started = await launch(location, dataDir, durable, onProgress);
  await ensureDatabase(started.server);
  return present(options, dataDir, started, false);
};

const present = async (
  options: EmbeddedOptions,
  dataDir: string,
  first: Running,
  reused: boolean,
): Promise<EmbeddedPostgres> => {
  const { onProgress: print = () => {}, onLost } = options;
  const cluster = join(await findHome(dataDir), 'postgres');
  const launchAgain = () => relaunch(options, dataDir, first.server.socketDir);
  const watch = onLost && keepRunning({ first, launchAgain, print, onLost });
  return {
    connection: connectTo(first.server),
    pid: first.server.pid,
    reused,
    stop: async () => {
      const { pid, socketDir } = (await watch?.leave()) ?? first.server;
      await stopPostmaster(pid, cluster);
      await removeSocketDirectory(socketDir);
    },
  };
};

/** Never creates a cluster: one that disappeared at run time must not be replaced by an empty one. */
const relaunch = async (
  { durable = true, onProgress = () => {}, asRoot = {} }: EmbeddedOptions,
  dataDir: string,
  socketDir: string,
): Promise<Running> => {
  const home = await findHome(dataDir);
  const location = await chooseLocation(dataDir, home, await findBinaries(), asRoot);
  const running =
    (await adoptRunning(join(home, 'postgres'))) ?? (await launch(location, dataDir, durable, onProgress));
  // Open connections know the previous socket.
  if (running.server.socketDir !== socketDir)
    throw new StartError(`The database was restarted in ${running.server.socketDir} instead of ${socketDir}.`);
  await ensureDatabase(running.server);
  return running;
};

const clusterOf = async (dataDir: string): Promise<string> => join(await findHome(await realpath(dataDir)), 'postgres');

/** Whether a data directory contains a database. */
export const hasEmbeddedPostgres = async (dataDir: string): Promise<boolean> =>
  (await findOwner(resolve(dataDir))) !== undefined &&
  (await findOwner(join(await clusterOf(dataDir), 'PG_VERSION'))) !== undefined;

/** The connection of a PostgreSQL that another process runs in a data directory, once it accepts connections. */
export const findEmbeddedPostgres = async (dataDir: string): Promise<EmbeddedPostgres['connection'] | undefined> => {
  const cluster = await clusterOf(dataDir);
  const found = await findPostmaster(cluster);
  const server = found && (await waitWhileStarting(found.pid, cluster, () => isPostmasterOf(found.pid, cluster)));
  const isReady = server?.status === 'ready' && (await isTrustedSocketDirectory(server.socketDir, cluster));
  return isReady ? connectTo(server) : undefined;
};

const adoptRunning = async (cluster: string): Promise<Running | undefined> => {
  const found = await findPostmaster(cluster);
  if (!found) return undefined;
  const server = await waitWhileStarting(found.pid, cluster, () => isPostmasterOf(found.pid, cluster));
  if (server?.status === 'ready' && (await isTrustedSocketDirectory(server.socketDir, cluster))) {
    try {
      await ensureDatabase(server);
      return { server, ended: () => waitUntilGone(server.pid, cluster) };
    } catch {
      // It runs but does not respond: its socket was removed, or it is about to stop. A new one will respond.
    }
  }
  await stopPostmaster(found.pid, cluster);
  return undefined;
};

const connectTo = (server: Postmaster): EmbeddedPostgres['connection'] => {
  return { host: server.socketDir, port: server.port, user: 'parley', database: 'parley', ssl: false };
};

/** Checks that the server responds, and creates the database if it is missing. */
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
  // Without this listener, a connection that breaks between two statements would crash the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
};
