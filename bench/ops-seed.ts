import type { Client } from 'pg';
import { projections } from '#server/projections/index.ts';
import type { Executor } from '#server/storage/executor.ts';
import { ROWS, SEEDS, SHOP, SURROUNDINGS } from './ops-rows.ts';

export interface Archive {
  organizationId: string;
  chats: number;
  say(line: string): void;
}

/** What one step writes: enough to be fast, little enough to show progress. */
const STEP = 50_000;

const settings = [
  // References are right by construction.
  'set session_replication_role = replica',
  'set synchronous_commit = off',
  `set work_mem = '128MB'`,
  `set maintenance_work_mem = '1GB'`,
];

const READ_INDEXES = `
select indexname as name, indexdef as text from pg_indexes
where schemaname = current_schema() and tablename = 'archive_entries' and indexdef like '% USING gin %'`;

/** The indexes of words and facts are slow to fill entry by entry, and fast to create at the end. */
const withoutSearchIndexes = async (client: Client, say: Archive['say'], work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; text: string }>(READ_INDEXES);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { name, text } of rows) {
    say(`creating the index ${name} …`);
    await client.query(text);
  }
};

const writeStep = async (client: Client, { chats }: Archive, from: number): Promise<number> => {
  const to = Math.min(from + STEP, chats);
  await client.query('drop table if exists seeds');
  await client.query(SEEDS, [from, to - 1]);
  await client.query('analyze seeds');
  for (const text of ROWS) await client.query(text);
  return to;
};

const rebuildProjections = async (client: Client, { organizationId, say }: Archive, took: () => string) => {
  const executor: Executor = { query: ({ text, values }) => client.query(text, values) };
  for (const { name, owner, rebuild } of Object.values(projections)) {
    if (owner !== 'organization') continue;
    await client.query('begin');
    await rebuild(executor, organizationId);
    await client.query('commit');
    say(`${name} rebuilt after ${took()}`);
  }
};

/**
 * An archive as it would be after some years, with everything that reports count: source rows are written straight into the
 * tables, and the projections are rebuilt from them.
 */
export const seedArchive = async (client: Client, archive: Archive): Promise<void> => {
  const { organizationId, chats, say } = archive;
  const started = performance.now();
  const took = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  for (const text of settings) await client.query(text);
  await client.query(SHOP, [organizationId, chats, Math.ceil(chats / 4), new Date()]);
  for (const text of SURROUNDINGS) await client.query(text);
  for (let from = 0; from < chats; ) {
    from = await writeStep(client, archive, from);
    say(`${from} of ${chats} chats after ${took()}`);
  }
  await client.query('analyze');
  await withoutSearchIndexes(client, say, () => rebuildProjections(client, archive, took));
  say(`cleaning up after ${took()} …`);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  say(`seeded in ${took()}`);
};
