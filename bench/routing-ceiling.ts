import pg from 'pg';

const LOCK = 99;

/** The ceiling: one transaction per chat that only takes the lock and inserts one row. No serialized assignment can be faster. */
export const measureCeiling = async (
  connection: pg.PoolConfig,
  count: number,
  concurrency: number,
): Promise<number> => {
  const pool = new pg.Pool({ ...connection, max: concurrency });
  await pool.query(
    'create table if not exists bench_locks (id bigint generated always as identity primary key, at timestamptz)',
  );
  const lockAndInsert = async (): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query({ name: 'lock', text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
      await client.query({ name: 'insert', text: 'insert into bench_locks (at) values ($1)', values: [new Date()] });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lockAndInsert));
  let remaining = count;
  const from = performance.now();
  const lockRepeatedly = async (): Promise<void> => {
    while (remaining-- > 0) await lockAndInsert();
  };
  await Promise.all(Array.from({ length: concurrency }, lockRepeatedly));
  const seconds = (performance.now() - from) / 1000;
  await pool.query('drop table bench_locks');
  await pool.end();
  return count / seconds;
};

/** Counts the statements that the work sends to the database. Nothing else may use the database in this process meanwhile. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> => {
  const original = pg.Client.prototype.query;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count++;
    return original.apply(this, args as never);
  } as typeof original;
  try {
    await work();
    return count;
  } finally {
    pg.Client.prototype.query = original;
  }
};
