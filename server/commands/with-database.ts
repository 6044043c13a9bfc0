import type { PoolConfig } from 'pg';
import type { Config } from '../config.ts';
import { DataDirectoryInUse, lockDataDirectory } from '../storage/data-lock.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import { isDatabaseUnavailable } from '../storage/database-errors.ts';
import { findEmbeddedPostgres, hasEmbeddedPostgres, startEmbeddedPostgres } from '../storage/embedded.ts';
import { checkSchema } from '../storage/migrate.ts';
import { migrations } from '../storage/migrations/index.ts';
import { StartError } from '../storage/start-error.ts';

interface Postgres {
  connection: PoolConfig;
  stop(): Promise<void>;
}

/** Holds the lock of the data directory, so that no server can start meanwhile. */
const startPostgres = async (dataDir: string, reportProgress: (line: string) => void): Promise<Postgres> => {
  const lock = await lockDataDirectory(dataDir, () => 'a command');
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, onProgress: reportProgress });
    return { connection: postgres.connection, stop: () => postgres.stop().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

/**
 * Connects to DATABASE_URL, to the embedded database of a running server, or to an embedded database started for this
 * command.
 */
const openPostgres = async (
  { databaseUrl, dataDir }: Config,
  reportProgress: (line: string) => void,
): Promise<Postgres> => {
  const stop = async (): Promise<void> => {};
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop };
  if (!(await hasEmbeddedPostgres(dataDir)))
    throw new StartError(`No database in ${dataDir}. Start the server once, or set DATA_DIR or DATABASE_URL.`);
  try {
    return await startPostgres(dataDir, reportProgress);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    const connection = await findEmbeddedPostgres(dataDir);
    if (!connection) throw new StartError('The server is still starting its database. Try again in a moment.');
    return { connection, stop };
  }
};

const STATEMENT_TIMEOUT_MS = 600_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Opens the database, runs the work and closes everything, also after an interruption. */
export const withDatabase = async <R>(
  config: Config,
  reportProgress: (line: string) => void,
  work: (database: Database) => Promise<R>,
): Promise<R> => {
  let interrupted = false;
  let database: Database | undefined;
  const interrupt = (): void => {
    interrupted = true;
    database?.destroyConnections();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    const postgres = await openPostgres(config, reportProgress);
    try {
      await checkSchema(postgres.connection, migrations);
      database = openDatabase({
        connection: postgres.connection,
        maxConnections: 2,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        onError: () => {},
      });
      if (interrupted) throw new StartError('Interrupted.');
      return await work(database).finally(() => database!.close());
    } finally {
      await postgres.stop();
    }
  } catch (error) {
    if (interrupted) throw new StartError('Interrupted.', { cause: error });
    if (!isDatabaseUnavailable(error)) throw error;
    throw new StartError(`Cannot connect to the database: ${(error as Error).message}`, { cause: error });
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
};
