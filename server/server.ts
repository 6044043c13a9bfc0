import type { AddressInfo } from 'node:net';
import type { PoolConfig } from 'pg';
import { CLOSE_HTTP_MS, prepareCloseHttp } from './close-http.ts';
import { createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { type Context, openContext } from './context.ts';
import type { LaneOptions } from './domain/support/chats/append/append-lane.ts';
import { describeInstallation, firstRun } from './first-run.ts';
import { createHttp } from './http.ts';
import { loadInstallationSecrets } from './installation-secrets.ts';
import { createLog } from './log.ts';
import { openMailIn } from './mail-in.ts';
import { lockDataDirectory } from './storage/data-lock.ts';
import { isDatabaseUnavailable } from './storage/database-errors.ts';
import { startEmbeddedPostgres } from './storage/embedded.ts';
import { migrate } from './storage/migrate.ts';
import { migrations } from './storage/migrations/index.ts';
import { StartError } from './storage/start-error.ts';

export interface Server {
  url: string;
  context: Context;
  /** Resolves when the server cannot continue, for example because its database stopped. */
  failed: Promise<Error>;
  /** Closes everything, and rejects afterwards if a part could not be closed. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  config: Config;
  /** Prints progress and the summary for the person who started the server. */
  print(line: string): void;
  /** Stops the start after the current step. */
  signal?: AbortSignal | undefined;
  lane?: LaneOptions | undefined;
}

/** A little less than the ten seconds after which the process exits in any case. */
const STOP_TIMEOUT_MS = 9_700;

interface Postgres {
  connection: PoolConfig;
  stop(): Promise<void>;
}

const openPostgres = async (
  { databaseUrl, dataDir }: Config,
  print: (line: string) => void,
  onLost: (error: Error) => void,
): Promise<Postgres> =>
  databaseUrl
    ? { connection: { connectionString: databaseUrl }, stop: async () => {} }
    : startEmbeddedPostgres({ dataDir, onProgress: print, onLost });

const urlOf = (config: Config, { address, port, family }: AddressInfo): string => {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return config.publicUrl ?? `http://${host}:${port}`;
};

const explainDatabase = (error: unknown): never => {
  if (error instanceof StartError || !isDatabaseUnavailable(error)) throw error;
  throw new StartError(`The database of DATABASE_URL cannot be reached: ${(error as Error).message}`, { cause: error });
};

const explainListen = (error: NodeJS.ErrnoException, { host, port }: Config): never => {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program uses this port. Stop it or set PORT',
    EACCES: 'this user may not use this port. Set PORT to 1024 or more',
    EADDRNOTAVAIL: 'this machine has no such address. Set HOST',
    ENOTFOUND: 'this host name is unknown. Set HOST',
  };
  const reason = reasons[error.code ?? ''];
  if (!reason) throw error;
  throw new StartError(`Parley cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
};

/** Opens everything in order; closing happens in reverse order, also when a later step fails. */
export const startServer = async ({ config, print, signal, lane }: ServerOptions): Promise<Server> => {
  const log = createLog(config.logLevel);
  const closing = createClosing(STOP_TIMEOUT_MS);
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  let url = config.publicUrl ?? `http://${config.host}:${config.port}`;
  try {
    if (!config.databaseUrl) {
      const lock = await lockDataDirectory(config.dataDir, () => url);
      closing.add('data directory', () => lock.release());
    }
    const secrets = loadInstallationSecrets(config);
    const postgres = await openPostgres(config, print, fail);
    closing.add('PostgreSQL', () => postgres.stop());
    const { connection } = postgres;
    signal?.throwIfAborted();
    await migrate(connection, migrations, () => print('Preparing the database …')).catch(explainDatabase);
    signal?.throwIfAborted();
    const context = await openContext({ config, secrets, connection, log, publicUrl: () => url, lane });
    closing.add('context', () => context.close());
    signal?.throwIfAborted();
    const demo = await firstRun(context, print, signal);
    signal?.throwIfAborted();
    const app = await createHttp(context);
    closing.add('requests', prepareCloseHttp(app, context.database), CLOSE_HTTP_MS);
    await app.listen({ port: config.port, host: config.host }).catch((error) => explainListen(error, config));
    url = urlOf(config, app.server.address() as AddressInfo);
    const mailInPort = await openMailIn(context, closing);
    const isWorker = config.roles.includes('worker');
    if (config.roles.includes('web')) context.realtime.greeter.work();
    if (isWorker) await context.background.jobs.work(context.background.jobHandlers);
    context.background.scheduler.start({ isWorker });
    for (const line of describeInstallation({ url, config, demo, mailInPort })) print(line);
    return {
      url,
      context,
      failed,
      stop: async () => {
        context.stopping = true;
        await closing.closeAll();
      },
    };
  } catch (error) {
    await closing.closeAll().catch((failure) => {
      log.error({ err: failure }, 'closing after a failed start failed');
      if (signal?.aborted) throw failure;
    });
    throw error;
  }
};
