import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Config, readConfig } from '#server/config.ts';
import { type Context, openContext } from '#server/context.ts';
import { createHttp } from '#server/http.ts';
import type { Web } from '#server/ports/web/web.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of the test run. Every test file copies the migrated template database. */
    postgres: { host: string; port: number; user: string; password?: string; template: string };
  }
}

export interface TestApp {
  app: FastifyInstance;
  context: Context;
  clock: ManualClock;
  operatorToken: string;
  connection: pg.PoolConfig;
  /** Runs all due jobs, including those that they enqueue. */
  runDueJobs(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestAppOptions {
  config?: Partial<Config>;
  /** Uses the database and clock of another app, like a second process of the same installation. */
  beside?: TestApp;
  /** Connects to this database instead of a new one. */
  connection?: pg.PoolConfig;
  /** Replaces the HTTP client of link previews. */
  previews?: Web;
  /** Receives the log, which is not written otherwise. */
  log?: Logger;
}

const OPERATOR_TOKEN = 'operator-token-for-tests';
const SECRET_KEY = 'secret-key-for-tests-only';

export const createTestDatabase = async (): Promise<pg.PoolConfig> => {
  const { template, ...server } = inject('postgres');
  const database = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(`create database ${database} template ${template}`);
  await client.end();
  return { ...server, database };
};

/** Starts the application on a new database with a manual clock. It does not listen on a port unless the test calls `listen`. */
export const startTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  const connection = options.connection ?? options.beside?.connection ?? (await createTestDatabase());
  const clock = options.beside?.clock ?? createManualClock();
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }),
    signInLimits: options.config?.rateLimits ?? false,
    ...options.config,
  };
  const context = await openContext({
    config,
    secrets: { secretKey: SECRET_KEY, operatorToken: OPERATOR_TOKEN },
    connection,
    log: options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
    publicUrl: () => config.publicUrl ?? 'http://parley.test',
    clock,
    ...(options.previews ? { previews: options.previews } : {}),
  });
  const app = await createHttp(context, { checkResponses: true });
  await app.ready();
  return {
    app,
    context,
    clock,
    operatorToken: OPERATOR_TOKEN,
    connection,
    runDueJobs: async () => {
      await context.services.partners.clicks.flush();
      await context.partners.milestones.drain();
      await context.background.mailFiler.drain();
      await context.background.jobs.drain(context.background.jobHandlers);
      await context.background.mailSender.drain();
      await context.background.webhooks.drain();
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await context.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** Starts an application before the tests of a file and closes it after them. Use its members in hooks and tests only. */
export const useTestApp = (options: TestAppOptions = {}): TestApp => {
  const test = {} as TestApp;
  beforeAll(async () => void Object.assign(test, await startTestApp(options)));
  afterAll(() => test[Symbol.asyncDispose]?.());
  return test;
};
