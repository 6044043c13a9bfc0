import pg from 'pg';
import { createTestDatabase } from '#server/testing/start-app.ts';
import { OPERATOR_TOKEN, startProcess, toDatabaseUrl } from '../../start-process.ts';
import type { Target } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of whatever was asked for.
export type Arrange = (text: string, values?: unknown[]) => Promise<any[]>;

export interface OwnServer extends Target {
  arrange: Arrange;
  connection: pg.PoolConfig;
}

export const startOwnServer = async (env: Record<string, string>): Promise<OwnServer> => {
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
    connection,
    arrange: async (text, values) => (await pool.query(text, values)).rows,
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
};
