import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { Executor } from '#server/storage/executor.ts';

/** Whose facts, and how to reach them. Every organization's scope is one. */
export interface Keeper {
  readonly organizationId: string;
  readonly executor: Executor;
  transaction<R>(work: (tx: { readonly executor: Executor }) => Promise<R>): Promise<R>;
}

/** One at a time for each organization: two would both take away what was counted before. */
export const inTurn = <R>(keeper: Keeper, work: (executor: Executor) => Promise<R>): Promise<R> =>
  keeper.transaction(async ({ executor }) => {
    await lockInTransaction(executor, 'reports', keeper.organizationId);
    return work(executor);
  });
