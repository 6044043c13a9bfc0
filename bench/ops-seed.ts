import type { Client } from 'pg';
import { projections } from '#server/projections/index.ts';
import type { Executor } from '#server/storage/executor.ts';
import { BASE_ROWS, ROWS, SEEDS, SHOP } from './ops-rows.ts';

export interface ArchiveOptions {
  organizationId: string;
  chats: number;
  log(line: string): void;
}

/** Large enough to be fast, small enough to show progress. */
const BATCH_SIZE = 50_000;

const settings = [
  // Skips foreign key checks; references are valid by construction.
  'set session_replication_role = replica',
  'set synchronous_commit = off',
  `set work_mem = '128MB'`,
  `set maintenance_work_mem = '1GB'`,
];

const SELECT_SEARCH_INDEXES = `
select indexname as name, indexdef as text from pg_indexes
where schemaname = current_schema() and tablename = 'archive_entries' and indexdef like '% USING gin %'`;

/** Drops the GIN indexes during the work, because creating them afterwards is faster than updating them row by row. */
const withoutSearchIndexes = async (
  client: Client,
  log: ArchiveOptions['log'],
  work: () => Promise<void>,
): Promise<void> => {
  const { rows } = await client.query<{ name: string; text: string }>(SELECT_SEARCH_INDEXES);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { name, text } of rows) {
    log(`creating index ${name} …`);
    await client.query(text);
  }
};

const writeBatch = async (client: Client, { chats }: ArchiveOptions, from: number): Promise<number> => {
  const to = Math.min(from + BATCH_SIZE, chats);
  await client.query('drop table if exists seeds');
  await client.query(SEEDS, [from, to - 1]);
  await client.query('analyze seeds');
  for (const text of ROWS) await client.query(text);
  return to;
};

const rebuildProjections = async (client: Client, { organizationId, log }: ArchiveOptions, elapsed: () => string) => {
  const executor: Executor = { query: ({ text, values }) => client.query(text, values) };
  for (const { name, owner, rebuild } of Object.values(projections)) {
    if (owner !== 'organization') continue;
    await client.query('begin');
    await rebuild(executor, organizationId);
    await client.query('commit');
    log(`${name} rebuilt after ${elapsed()}`);
  }
};

/**
 * Seeds an archive of several years with everything that reports count. Source rows are inserted directly into the tables, and
 * the projections are rebuilt from them.
 */
export const seedArchive = async (client: Client, options: ArchiveOptions): Promise<void> => {
  const { organizationId, chats, log } = options;
  const started = performance.now();
  const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  for (const text of settings) await client.query(text);
  await client.query(SHOP, [organizationId, chats, Math.ceil(chats / 4), new Date()]);
  for (const text of BASE_ROWS) await client.query(text);
  for (let from = 0; from < chats; ) {
    from = await writeBatch(client, options, from);
    log(`${from} of ${chats} chats after ${elapsed()}`);
  }
  await client.query('analyze');
  await withoutSearchIndexes(client, log, () => rebuildProjections(client, options, elapsed));
  log(`cleaning up after ${elapsed()} …`);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  log(`seeded in ${elapsed()}`);
};
