import pg from 'pg';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { OPERATOR_TOKEN, startProcess, toDatabaseUrl } from '../../start-process.ts';
import type { Target } from './target.ts';

export const startOwnServer = async (env: Record<string, string>): Promise<Target> => {
  const connection = await createTestDatabase();
  const server = await startProcess({
    DATABASE_URL: toDatabaseUrl(connection),
    RATE_LIMITS: 'off',
    ALLOW_PRIVATE_WEBHOOKS: '1',
    ...env,
  });
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on('error', () => {});
  return {
    url: server.url,
    operatorToken: OPERATOR_TOKEN,
    runSql: async (text, values) => (await pool.query(text, values)).rows,
    hold: async (text) => {
      const client = await pool.connect();
      await client.query('begin');
      await client.query(text);
      return async () => {
        await client.query('rollback');
        client.release();
      };
    },
    outage: async (during) => {
      const { database, ...server } = connection;
      const admin = new pg.Client({ ...server, database: 'postgres' });
      await admin.connect();
      await admin.query(`alter database ${database} allow_connections false`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
      try {
        await during();
      } finally {
        await admin.query(`alter database ${database} allow_connections true`);
        await admin.end();
      }
    },
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
};
