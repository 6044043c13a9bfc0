import type { AddressInfo } from 'node:net';
import type { PoolConfig } from 'pg';
import type { Config } from './config.ts';
import { type Context, openContext } from './context.ts';
import { describeInstallation, firstRun } from './first-run.ts';
import type { LaneOptions } from './domain/chats/append-lane.ts';
import { createHttp } from './http.ts';
import { loadInstallationSecrets } from './installation-secrets.ts';
import { createLog } from './log.ts';
import { lockDataDirectory } from './storage/data-lock.ts';
import { startEmbeddedPostgres } from './storage/embedded.ts';
import { migrate } from './storage/migrate.ts';
import { migrations } from './storage/migrations/index.ts';

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
      const lock = await lockDataDirectory(config.dataDir, () => `pid ${process.pid}, ${url}`);
      closing.push(() => lock.release());
    }
    const postgres = await openPostgres(config, say);
    closing.push(postgres.stop);
    const applied = await migrate(postgres.connection, migrations);
    if (applied.length > 0) say('Preparing the database …');
    const log = createLog(config.logLevel);
    const context = await openContext({ config, secrets, connection: postgres.connection, log, publicUrl: () => url, lane });
    closing.push(() => context.close());
    const demo = await firstRun(context, say);
    const app = await createHttp(context);
    await app.listen({ port: config.port, host: config.host });
    url = urlOf(config, app.server.address() as AddressInfo);
    closing.push(() => app.close());
    if (config.roles.includes('worker')) await context.jobs.work(context.jobHandlers);
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
