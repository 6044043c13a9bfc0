import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parse } from 'pg-connection-string';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { jobNames } from '#server/jobs/index.ts';
import { openJobQueue } from '#server/jobs/queue.ts';
import { migrate } from '#server/storage/migrate.ts';
import { migrations } from '#server/storage/migrations/index.ts';
import { startTestPostgres } from './postgres.ts';

const TEMPLATE = 'parley_template';

const serverOf = (connection: pg.ClientConfig): { host: string; port: number; user: string; password?: string } => {
  const { host, port, user, password } = connection.connectionString ? parse(connection.connectionString) : connection;
  return {
    host: host ?? 'localhost',
    port: Number(port ?? 5432),
    user: user ?? 'postgres',
    ...(typeof password === 'string' ? { password } : {}),
  };
};

/** Builds the browser apps if their sources have changed since the last build. */
const buildApps = (): void => {
  const script = fileURLToPath(new URL('../../../scripts/build-apps.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
};

/** One PostgreSQL for the whole run, migrated once into a template that every test file copies. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  buildApps();
  const postgres = await startTestPostgres();
  const server = serverOf(postgres.connection);
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE}`);
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const template = { ...server, database: TEMPLATE };
  await migrate(template, migrations);
  const jobs = await openJobQueue(template, jobNames, pino({ level: 'silent' }));
  await jobs.stop(1000);
  provide('postgres', { ...server, template: TEMPLATE });
  return () => postgres.stop();
};
