import type { Executor } from './executor.ts';

/**
 * Every advisory lock of the program. They end with their transaction, except `migrations`, which ends with its connection.
 *
 * Lock order. A transaction that needs several locks takes them in this order, so that two transactions never wait for each other:
 * `signUpAddress`, `visitor`, the row of the customer, `organization`, `payment`, rows of chats in the order of their ids, all other
 * rows; see docs/contributing/lock-order.md. `scheduler` is held by a transaction that does nothing else while the task works on other connections.
 * `mailedAddress` is taken last. `clicks`, `transcripts`, `reports` and `projection` are taken by transactions that take no other advisory lock.
 */
const ids = {
  migrations: 7_275_539,
  organization: 11,
  scheduler: 12,
  payment: 13,
  reports: 14,
  transcripts: 16,
  clicks: 17,
  signUpAddress: 18,
  projection: 19,
  visitor: 20,
  mailedAddress: 21,
} as const;

export type AdvisoryLock = Exclude<keyof typeof ids, 'migrations'>;

/** For `pg_advisory_lock` on the connection that migrates. */
export const MIGRATIONS_LOCK = ids.migrations;

/** Waits until the transaction has the lock. */
export const lockInTransaction = async (tx: Executor, lock: AdvisoryLock, key = ''): Promise<void> => {
  const text = 'select pg_advisory_xact_lock($1, hashtext($2))';
  await tx.query({ name: 'advisory_lock', text, values: [ids[lock], key] });
};

/** Returns whether the transaction has the lock now; does not wait. */
export const tryLockInTransaction = async (tx: Executor, lock: AdvisoryLock, key = ''): Promise<boolean> => {
  const text = 'select pg_try_advisory_xact_lock($1, hashtext($2)) as locked';
  const { rows } = await tx.query<{ locked: boolean }>({ name: 'try_advisory_lock', text, values: [ids[lock], key] });
  return rows[0]!.locked;
};
