import type { Client } from 'pg';
import { countQuarters, forgetQuarters } from '#server/domain/support/reports/count-quarters.ts';
import { SUM_FACTS, WRITE_FACTS } from '#server/domain/support/reports/fact-sql.ts';
import { inTurn, type Keeper } from '#server/domain/support/reports/turn.ts';
import type { Executor } from '#server/storage/executor.ts';
import { ENTRIES, readIndexes } from './ops-entries.ts';
import { ROWS, SEEDS, SHOP, SURROUNDINGS } from './ops-rows.ts';

export interface Archive {
  organizationId: string;
  chats: number;
  say(line: string): void;
}

/** What one step writes: enough to be fast, little enough to show that it goes on. */
const STEP = 50_000;

const settings = [
  // Nobody looks on: what refers to what is right by construction, and what triggers would note is written here.
  'set session_replication_role = replica',
  'set synchronous_commit = off',
  `set work_mem = '128MB'`,
  `set maintenance_work_mem = '1GB'`,
];

/** The indexes of words and facts take one entry after the other slowly, and all at once fast. */
const withoutSearchIndexes = async (client: Client, say: Archive['say'], work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; text: string }>(readIndexes);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { name, text } of rows) {
    say(`making the index ${name} …`);
    await client.query(text);
  }
};

/** Facts and sums are counted by the program's own statements. */
const writeStep = async (client: Client, { organizationId, chats }: Archive, from: number): Promise<number> => {
  const to = Math.min(from + STEP, chats);
  await client.query('drop table if exists seeds');
  await client.query(SEEDS, [from, to - 1]);
  await client.query('analyze seeds');
  for (const text of [...ROWS, ENTRIES]) await client.query(text);
  const { rows } = await client.query<{ ids: string[] }>('select array_agg(id) as ids from seeds');
  const { ids } = rows[0]!;
  // The plan of the facts is made for tables of this size, which are not known to be before they have been looked at.
  if (from === 0) await client.query('analyze threads, events, thread_agents, assignments, agents');
  await client.query(WRITE_FACTS, [organizationId, ids]);
  await client.query('analyze chat_facts, chat_agent_facts');
  await client.query(SUM_FACTS, [organizationId, 1, ids]);
  return to;
};

const QUARTERS = 20_000;

/** What reports count beside chats. The server counts as well, as soon as it sees what there is. */
const countRest = async (client: Client, { organizationId, say }: Archive): Promise<void> => {
  const executor: Executor = { query: ({ text, values }) => client.query(text, values) };
  const keeper: Keeper = {
    organizationId,
    executor,
    transaction: (work) => inTransaction(client, () => work({ executor })),
  };
  await inTurn(keeper, (tx) => forgetQuarters(tx, organizationId));
  await client.query('analyze');
  let counted = 0;
  for (let some = 1; some > 0; counted += some) {
    some = await inTurn(keeper, (tx) => countQuarters(tx, organizationId, QUARTERS));
    say(`${counted + some} quarters of an hour counted for reports`);
  }
};

const inTransaction = async <R>(client: Client, work: () => Promise<R>): Promise<R> => {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

/**
 * An archive as it would be after some years, with all that reports count, written straight into the tables as fast as they
 * take it. What the program derives from it is written as the program would have done.
 */
export const seedArchive = async (client: Client, archive: Archive): Promise<void> => {
  const { organizationId, chats, say } = archive;
  const started = performance.now();
  const took = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  for (const text of settings) await client.query(text);
  await client.query(SHOP, [organizationId, chats, Math.ceil(chats / 4), new Date()]);
  for (const text of SURROUNDINGS) await client.query(text);
  await withoutSearchIndexes(client, say, async () => {
    for (let from = 0; from < chats; ) {
      from = await writeStep(client, archive, from);
      say(`${from} of ${chats} chats after ${took()}`);
    }
  });
  await countRest(client, archive);
  say(`cleaning up after ${took()} …`);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  say(`seeded in ${took()}`);
};
