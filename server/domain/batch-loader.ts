import { isDatabaseUnavailable } from '#server/storage/database-errors.ts';
import type { Executor } from '#server/storage/executor.ts';

/**
 * A statement that loads the rows for several keys. It reads the keys with `json_to_recordset($1) as w(n int, …)` and
 * returns in column `n` the key each row belongs to.
 */
export interface BatchStatement {
  name: string;
  text: string;
}

export type BatchKey = Record<string, unknown>;

export interface BatchLoader {
  load<Row>(batch: BatchStatement, key: BatchKey): Promise<Row[]>;
}

interface PendingLoad {
  key: BatchKey;
  resolve(rows: never[]): void;
  reject(error: unknown): void;
}

interface Queue {
  waiting: PendingLoad[];
  running: number;
}

const MAX_CONCURRENT_STATEMENTS = 3;
const MAX_PER_BATCH = 32;

const runBatch = async <Row>(executor: Executor, batch: BatchStatement, keys: BatchKey[]): Promise<Row[][]> => {
  const values = [JSON.stringify(keys.map((key, n) => ({ n, ...key })))];
  const { rows } = await executor.query<Row & { n: number }>({ ...batch, values });
  const results: Row[][] = keys.map(() => []);
  for (const row of rows) results[row.n]!.push(row);
  return results;
};

/**
 * Combines concurrent reads with the same statement, because one statement for many keys costs PostgreSQL and this
 * process less than one per key. The first reads run immediately; reads that arrive while a few statements are running
 * are combined.
 */
export const createBatchLoader = (executor: Executor): BatchLoader => {
  const queues = new Map<BatchStatement, Queue>();

  const load = async (batch: BatchStatement, taken: PendingLoad[]): Promise<void> => {
    const keys = taken.map(({ key }) => key);
    try {
      const results = await runBatch<never>(executor, batch, keys);
      for (const [n, { resolve }] of taken.entries()) resolve(results[n]!);
    } catch (error) {
      // A single bad key must fail only its own read.
      if (taken.length > 1 && !isDatabaseUnavailable(error)) for (const one of taken) await load(batch, [one]);
      else for (const { reject } of taken) reject(error);
    }
  };

  const startNext = async (batch: BatchStatement, queue: Queue): Promise<void> => {
    queue.running++;
    await load(batch, queue.waiting.splice(0, MAX_PER_BATCH));
    queue.running--;
    if (queue.waiting.length > 0) void startNext(batch, queue);
  };

  return {
    load: <Row>(batch: BatchStatement, key: BatchKey) =>
      new Promise<Row[]>((resolve, reject) => {
        const queue = queues.get(batch) ?? { waiting: [], running: 0 };
        queues.set(batch, queue);
        queue.waiting.push({ key, resolve, reject });
        if (queue.running < MAX_CONCURRENT_STATEMENTS) void startNext(batch, queue);
      }),
  };
};

/** The part of an organization scope that a batched read uses. */
interface Reader {
  organizationId: string;
  executor: Executor;
  services: { executor: Executor; batchLoader: BatchLoader };
}

/**
 * Batched with concurrent reads. Inside a transaction it runs alone, since it must see the transaction's own writes.
 */
export const loadBatched = async <Row>(scope: Reader, batch: BatchStatement, key: BatchKey): Promise<Row[]> => {
  const { executor, organizationId, services } = scope;
  const scopedKey = { ...key, organization_id: organizationId };
  if (executor === services.executor) return services.batchLoader.load<Row>(batch, scopedKey);
  return (await runBatch<Row>(executor, batch, [scopedKey]))[0]!;
};
