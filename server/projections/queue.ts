import type { ProjectionName } from '#server/domain/projection-queue.ts';
import { tryLockInTransaction } from '#server/storage/advisory-locks.ts';
import type { Database } from '#server/storage/database.ts';
import type { Executor } from '#server/storage/executor.ts';
import type { Projection } from './projection.ts';

const TAKE = `
delete from projection_queue q
where q.owner_id = $1 and q.projection = $2 and q.id in (
  select n.id from projection_queue n where n.owner_id = $1 and n.projection = $2 order by n.id limit $3)
returning q.key`;

const CLEAR = 'delete from projection_queue q where q.owner_id = $1 and q.projection = $2';

const LAST_PENDING = `
select n.name, l.id from unnest($2::text[]) n(name)
cross join lateral (
  select q.id from projection_queue q where q.owner_id = $1 and q.projection = n.name order by q.id desc limit 1) l`;

const IS_PENDING = `
select exists (select from projection_queue q where q.owner_id = $1 and q.projection = $2 and q.id <= $3) as pending`;

/**
 * Only one transaction in all processes may write a projection of an owner, so that rows derived from older data never replace
 * newer ones. This does not wait for the lock, because a waiting statement could exceed the statement timeout.
 */
export const tryLock = (tx: Executor, name: ProjectionName, ownerId: string): Promise<boolean> =>
  tryLockInTransaction(tx, 'projection', `${name} ${ownerId}`);

/** Removes the oldest entries from the queue and returns their keys, each once. */
const takeKeys = async (
  tx: Executor,
  { name }: Projection,
  ownerId: string,
  limit: number,
): Promise<{ applied: number; keys: string[] }> => {
  const { rows } = await tx.query<{ key: string }>({ text: TAKE, values: [ownerId, name, limit] });
  return { applied: rows.length, keys: [...new Set(rows.map(({ key }) => key))] };
};

/**
 * Applies one batch and returns its size. Entries are removed in the transaction that writes the derived rows, so they survive a
 * crash, and entries that are added in the meantime stay in the queue.
 */
export const applyBatch = (
  database: Database,
  projection: Projection,
  ownerId: string,
): Promise<{ locked: boolean; applied: number }> =>
  database.transaction(async (tx) => {
    if (!(await tryLock(tx, projection.name, ownerId))) return { locked: true, applied: 0 };
    const { applied, keys } = await takeKeys(tx, projection, ownerId, projection.batchSize);
    if (keys.length > 0) await projection.apply(tx, ownerId, keys);
    return { locked: false, applied };
  });

/** Applies all queued entries. The transaction must hold the lock. */
export const applyAll = async (tx: Executor, projection: Projection, ownerId: string): Promise<void> => {
  for (let applied = projection.batchSize; applied === projection.batchSize; ) {
    const batch = await takeKeys(tx, projection, ownerId, projection.batchSize);
    if (batch.keys.length > 0) await projection.apply(tx, ownerId, batch.keys);
    applied = batch.applied;
  }
};

export const clearQueue = async (tx: Executor, name: ProjectionName, ownerId: string): Promise<void> => {
  await tx.query({ text: CLEAR, values: [ownerId, name] });
};

/** The newest entry of each projection that has any. */
export const findLastPending = async (
  executor: Executor,
  ownerId: string,
  names: readonly ProjectionName[],
): Promise<{ name: ProjectionName; id: number }[]> =>
  (
    await executor.query<{ name: ProjectionName; id: number }>({
      name: 'find_last_pending',
      text: LAST_PENDING,
      values: [ownerId, names],
    })
  ).rows;

export const isPending = async (
  executor: Executor,
  ownerId: string,
  { name, id }: { name: ProjectionName; id: number },
): Promise<boolean> => {
  const values = [ownerId, name, id];
  const { rows } = await executor.query<{ pending: boolean }>({ name: 'is_pending', text: IS_PENDING, values });
  return rows[0]!.pending;
};
