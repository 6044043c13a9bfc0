import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { type Database, openDatabase } from './database.ts';
import { isDatabaseUnavailable, isRetryable, isStatementTimeout } from './database-errors.ts';
import { UnownedQueryError } from './guard.ts';

let connection: pg.PoolConfig;
let database: Database;
const lost: Error[] = [];
beforeAll(async () => {
  connection = await createTestDatabase();
  database = openDatabase({
    connection,
    maxConnections: 3,
    statementTimeoutMs: 200,
    onError: (error) => lost.push(error),
  });
});
afterAll(() => database.close());

const terminate = async (pid: number) => {
  const other = new pg.Client(connection as pg.ClientConfig);
  await other.connect();
  await other.query('select pg_terminate_backend($1, 5000)', [pid]);
  await other.end();
};
const pidOf = async (db: Database['kysely']) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid;

describe('the database', () => {
  it('survives a connection that is lost during a transaction', async () => {
    const failing = database.kysely.transaction().execute(async (tx) => {
      await terminate(await pidOf(tx));
      await pidOf(tx);
    });
    await expect(failing).rejects.toSatisfy(isDatabaseUnavailable);
    expect(await pidOf(database.kysely)).toBeGreaterThan(0);
  });

  it('survives and reports an idle connection that is lost', async () => {
    await terminate(await pidOf(database.kysely));
    expect(await pidOf(database.kysely).catch(() => pidOf(database.kysely))).toBeGreaterThan(0);
    expect(lost.length).toBeGreaterThan(0);
  });

  it('cancels a statement that takes too long', async () => {
    await expect(database.query({ text: 'select pg_sleep(10)', values: [] })).rejects.toSatisfy(isStatementTimeout);
  });

  it('ends a statement that a frozen database does not answer, and works again afterwards', async () => {
    const proxy = await startDatabaseProxy(connection);
    const frozen = openDatabase({
      ...{ connection: proxy.connection, maxConnections: 2, statementTimeoutMs: 200 },
      onError: () => {},
    });
    await pidOf(frozen.kysely);
    proxy.freeze();
    await expect(pidOf(frozen.kysely)).rejects.toSatisfy(isDatabaseUnavailable);
    await expect(frozen.kysely.transaction().execute(pidOf)).rejects.toSatisfy(isDatabaseUnavailable);
    proxy.unfreeze();
    expect(await pidOf(frozen.kysely)).toBeGreaterThan(0);
    await frozen.close();
    await proxy.disconnect();
  });

  it('prepares a frequent statement once, and again after a table has changed', async () => {
    const one = openDatabase({ connection, maxConnections: 1, statementTimeoutMs: 5_000, onError: () => {} });
    const text = 'select * from installation where key = $1';
    const ask = () => one.query({ text, values: ['none'] });
    const prepared = () =>
      one.query<{ n: number }>({ text: 'select count(*) as n from pg_prepared_statements', values: [] });
    await ask();
    expect((await prepared()).rows[0]!.n).toBe(0);
    for (let n = 0; n < 30; n++) await ask();
    expect((await prepared()).rows[0]!.n).toBe(1);
    await one.query({ text: 'alter table installation add column added_later text', values: [] });
    await expect(ask()).rejects.toSatisfy((error) => isRetryable(error) && isDatabaseUnavailable(error));
    expect((await ask()).rows).toEqual([]);
    await one.query({ text: 'alter table installation drop column added_later', values: [] });
    await one.close();
  });

  it('applies the statement guard to every kind of query', async () => {
    await expect((async () => database.query({ text: 'select * from chats', values: [] }))()).rejects.toThrow(
      UnownedQueryError,
    );
    await expect(database.kysely.selectFrom('chats').selectAll().execute()).rejects.toThrow(UnownedQueryError);
    const inTransaction = database.transaction((tx) => tx.query({ text: 'delete from events', values: [] }));
    await expect(inTransaction).rejects.toThrow(UnownedQueryError);
  });

  it('reads big integers as numbers and rolls back a failed transaction', async () => {
    const { rows } = await database.query<{ n: number }>({ text: 'select 9007199254740991::bigint as n', values: [] });
    expect(rows).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
    const failing = database.transaction(async (tx) => {
      await tx.query({ text: `insert into installation (key, value) values ('x', '{}')`, values: [] });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await database.query({ text: 'select * from installation', values: [] })).rows).toEqual([]);
  });
});
