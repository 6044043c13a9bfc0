import { expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { refreshStatistics } from './refresh-statistics.ts';

const test = useTestApp();

const estimatedRows = async (): Promise<number> => {
  const { pool } = test.context.database;
  const { rows } = await pool.query(`select reltuples::int as rows from pg_class where relname = 'guesses'`);
  return rows[0].rows;
};

const grow = async (from: number, to: number): Promise<void> => {
  const client = await test.context.database.pool.connect();
  try {
    await client.query(`create table if not exists guesses (id int, text text)`);
    await client.query(`insert into guesses select n, 'text' from generate_series(${from}, ${to}) n`);
    await client.query('select pg_stat_force_next_flush()');
  } finally {
    client.release();
  }
};

it('analyzes only tables that have grown far beyond their statistics', async () => {
  const { database } = test.context;
  await grow(1, 300);
  await refreshStatistics(database);
  expect(await estimatedRows()).toBe(300);
  await grow(301, 1100);
  await refreshStatistics(database);
  expect(await estimatedRows()).toBe(300);
  await grow(1101, 1300);
  await refreshStatistics(database);
  expect(await estimatedRows()).toBe(1300);
});
