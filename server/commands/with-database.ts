import type { PoolConfig } from 'pg';
import type { Config } from '../config.ts';
import { DataDirectoryInUse, lockDataDirectory } from '../storage/data-lock.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import { findEmbeddedPostgres, hasEmbeddedPostgres, startEmbeddedPostgres } from '../storage/embedded.ts';
import { isDatabaseAway } from '../storage/failures.ts';
import { checkSchema } from '../storage/migrate.ts';
import { migrations } from '../storage/migrations/index.ts';
import { StartError } from '../storage/start-error.ts';

interface Postgres {
  connection: PoolConfig;
  stop(): Promise<void>;
}

/** While it runs here, a server cannot start; the name tells whom to wait for. */
const startPostgres = async (dataDir: string, say: (line: string) => void): Promise<Postgres> => {
  const lock = await lockDataDirectory(dataDir, () => 'a command');
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, onProgress: say });
    return { connection: postgres.connection, stop: () => postgres.stop().finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

/** That of DATABASE_URL; else the embedded one: the server's when it runs, otherwise started and stopped again. */
const openPostgres = async ({ databaseUrl, dataDir }: Config, say: (line: string) => void): Promise<Postgres> => {
  const stop = async (): Promise<void> => {};
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop };
  if (!(await hasEmbeddedPostgres(dataDir)))
    throw new StartError(`There is no database in ${dataDir}. Start the server once, or set DATA_DIR or DATABASE_URL.`);
  try {
    return await startPostgres(dataDir, say);
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error;
    const connection = await findEmbeddedPostgres(dataDir);
    if (!connection) throw new StartError('The server has not started its database yet. Try again in a moment.');
    return { connection, stop };
  }
};

const STATEMENT_TIMEOUT_MS = 600_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Opens the installation's database for one piece of work; an interruption closes what was opened. */
export const withDatabase = async <R>(
  config: Config,
  say: (line: string) => void,
  work: (database: Database) => Promise<R>,
): Promise<R> => {
  let interrupted = false;
  let database: Database | undefined;
  const interrupt = (): void => {
    interrupted = true;
    database?.cut();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    const postgres = await openPostgres(config, say);
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
    if (!isDatabaseAway(error)) throw error;
    throw new StartError(`The database cannot be reached: ${(error as Error).message}`, { cause: error });
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
};
