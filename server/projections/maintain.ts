import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#server/storage/database.ts';
import { isRetryable } from '#server/storage/database-errors.ts';
import type { Executor } from '#server/storage/executor.ts';
import type { Projection } from './projection.ts';
import { applyAll, clearQueue, tryLock } from './queue.ts';

const RETRY_MS = 50;

/** Thrown to roll back the writes of a check. */
class Rollback extends Error {}

const ISOLATION = {
  rebuild: 'set transaction isolation level read committed',
  // Everything that is compared must come from one snapshot.
  check: 'set transaction isolation level repeatable read',
};

const underLock = async (
  database: Database,
  { name }: Projection,
  ownerId: string,
  isolation: string,
  work: (tx: Executor) => Promise<void>,
): Promise<void> => {
  for (;;) {
    const isDone = await database.transaction(async (tx) => {
      await tx.query({ text: isolation, values: [] });
      if (!(await tryLock(tx, name, ownerId))) return false;
      await work(tx);
      return true;
    });
    if (isDone) return;
    await delay(RETRY_MS);
  }
};

/**
 * Recomputes a projection of one owner while the server runs. Readers see the old rows until it commits. Entries that are
 * enqueued in the meantime are applied afterwards.
 */
export const rebuildProjection = (database: Database, projection: Projection, ownerId: string): Promise<void> =>
  underLock(database, projection, ownerId, ISOLATION.rebuild, async (tx) => {
    await clearQueue(tx, projection.name, ownerId);
    await projection.rebuild(tx, ownerId);
  });

/**
 * Returns the keys whose derived rows differ from a rebuild after the queued entries are applied. Everything is read in one
 * snapshot, so that concurrent writes do not appear as differences. All changes are rolled back.
 */
export const checkProjection = async (
  database: Database,
  projection: Projection,
  ownerId: string,
): Promise<string[]> => {
  for (;;) {
    let differing: string[] = [];
    try {
      await underLock(database, projection, ownerId, ISOLATION.check, async (tx) => {
        await applyAll(tx, projection, ownerId);
        differing = await projection.check(tx, ownerId);
        throw new Rollback();
      });
    } catch (error) {
      if (error instanceof Rollback) return differing;
      if (!isRetryable(error)) throw error;
    }
  }
};

/** Selects the rows of a table of the owner `$1` as `key` and `columns`, for {@link compareWithRebuild}. */
export const rowsOf = ({
  table,
  owner,
  key,
  ignored = [],
}: {
  table: string;
  owner: 'organization_id' | 'partner_id';
  /** The column, or an expression over the row `r`, that contains the key of a row. */
  key: string;
  /** Columns that may differ between two correct states. */
  ignored?: string[];
}): string =>
  `select (${key})::text as key, to_jsonb(r) - '{${ignored.join(',')}}'::text[] as columns from ${table} r where r.${owner} = $1`;

/** Rebuilds inside the transaction and returns the keys of all selected rows that differ before and after. */
export const compareWithRebuild = async (
  tx: Executor,
  ownerId: string,
  selects: readonly string[],
  rebuild: (tx: Executor, ownerId: string) => Promise<void>,
): Promise<string[]> => {
  for (const [n, select] of selects.entries()) {
    // `create table as` does not accept parameters, so the rows are inserted separately.
    await tx.query({ text: `create temp table before_${n} (key text, columns jsonb) on commit drop`, values: [] });
    await tx.query({ text: `insert into before_${n} ${select}`, values: [ownerId] });
  }
  await rebuild(tx, ownerId);
  const differing = new Set<string>();
  for (const [n, select] of selects.entries()) {
    const text = `
with after as materialized (${select})
select distinct d.key from (
  (select * from after except select * from before_${n}) union all (select * from before_${n} except select * from after)) d`;
    const { rows } = await tx.query<{ key: string }>({ text, values: [ownerId] });
    for (const { key } of rows) differing.add(key);
  }
  return [...differing].sort();
};
