import pg from 'pg';

const LOCK = 99;

/** As many transactions as there are chats, each with nothing but the turn and one row: nobody who takes turns is faster. */
export const measureCeiling = async (connection: pg.PoolConfig, count: number, atOnce: number): Promise<number> => {
  const pool = new pg.Pool({ ...connection, max: atOnce });
  await pool.query(
    'create table if not exists turns (id bigint generated always as identity primary key, at timestamptz)',
  );
  const take = async (): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query({ name: 'turn', text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
      await client.query({ name: 'note', text: 'insert into turns (at) values ($1)', values: [new Date()] });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  let left = count;
  const from = performance.now();
  const takeInTurn = async (): Promise<void> => {
    while (left-- > 0) await take();
  };
  await Promise.all(Array.from({ length: atOnce }, takeInTurn));
  const seconds = (performance.now() - from) / 1000;
  await pool.query('drop table turns');
  await pool.end();
  return count / seconds;
};

/** Counts what goes to the database meanwhile. Nothing else may be under way in this process. */
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
