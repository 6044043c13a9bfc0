import type { AddressInfo } from 'node:net';
import type { PoolConfig } from 'pg';
import type { Config } from './config.ts';
import { type Context, openContext } from './context.ts';
import type { LaneOptions } from './domain/chats/append-lane.ts';
import { describeInstallation, firstRun } from './first-run.ts';
import { createHttp } from './http.ts';
import { loadInstallationSecrets } from './installation-secrets.ts';
import { createLog } from './log.ts';
import { lockDataDirectory } from './storage/data-lock.ts';
import { startEmbeddedPostgres } from './storage/embedded.ts';
import { isDatabaseAway } from './storage/failures.ts';
import { migrate } from './storage/migrate.ts';
import { migrations } from './storage/migrations/index.ts';
import { StartError } from './storage/start-error.ts';

export interface Server {
  url: string;
  context: Context;
  stop(): Promise<void>;
}

export interface ServerOptions {
  config: Config;
  /** Progress and the summary, for the person who started it. */
  say(line: string): void;
  lane?: LaneOptions | undefined;
}

type Step = () => Promise<unknown>;

const openPostgres = async (
  config: Config,
  say: (line: string) => void,
): Promise<{ connection: PoolConfig; stop: Step }> => {
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, stop: async () => {} };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: say });
  return { connection: postgres.connection, stop: () => postgres.stop() };
};

const urlOf = (config: Config, { address, port, family }: AddressInfo): string => {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return config.publicUrl ?? `http://${host}:${port}`;
};

const explainDatabase = (error: unknown): never => {
  if (error instanceof StartError || !isDatabaseAway(error)) throw error;
  throw new StartError(`The database of DATABASE_URL cannot be reached: ${(error as Error).message}`, { cause: error });
};

const explainListen = (error: NodeJS.ErrnoException, { host, port }: Config): never => {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program listens there. Stop it or set PORT',
    EACCES: 'this user may not use it. Set PORT to 1024 or more',
    EADDRNOTAVAIL: 'this machine has no such address. Set HOST',
    ENOTFOUND: 'this name is not known. Set HOST',
  };
  const reason = reasons[error.code ?? ''];
  if (!reason) throw error;
  throw new StartError(`Parley cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
};

/** Opens everything in order; what was opened is closed in the opposite order, also when a later step fails. */
export const startServer = async ({ config, say, lane }: ServerOptions): Promise<Server> => {
  const closing: Step[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close();
  };
  let url = config.publicUrl ?? `http://${config.host}:${config.port}`;
  try {
    const secrets = loadInstallationSecrets(config);
    if (!config.databaseUrl) {
      const lock = await lockDataDirectory(config.dataDir, () => url);
      closing.push(() => lock.release());
    }
    const postgres = await openPostgres(config, say);
    closing.push(postgres.stop);
    const applied = await migrate(postgres.connection, migrations).catch(explainDatabase);
    if (applied.length > 0) say('Preparing the database …');
    const log = createLog(config.logLevel);
    const context = await openContext({
      config,
      secrets,
      connection: postgres.connection,
      log,
      publicUrl: () => url,
      lane,
    });
    closing.push(() => context.close());
    const demo = await firstRun(context, say);
    const app = await createHttp(context);
    await app.listen({ port: config.port, host: config.host }).catch((error) => explainListen(error, config));
    url = urlOf(config, app.server.address() as AddressInfo);
    closing.push(() => app.close());
    if (config.roles.includes('web')) context.greeter.work();
    if (config.roles.includes('worker')) {
      await context.jobs.work(context.jobHandlers);
      context.webhooks.work();
    }
    for (const line of describeInstallation({ url, config, demo })) say(line);
    return {
      url,
      context,
      stop: async () => {
        context.stopping = true;
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
};
