import type { Executor } from '#server/storage/executor.ts';

/** Whose facts, and how to reach them. Every organization's scope is one. */
export interface Keeper {
  readonly organizationId: string;
  readonly executor: Executor;
  transaction<R>(work: (tx: { readonly executor: Executor }) => Promise<R>): Promise<R>;
}

const REPORTS_LOCK = 14;

/** One at a time for each organization: two would both take away what was counted before. */
export const inTurn = <R>(keeper: Keeper, work: (executor: Executor) => Promise<R>): Promise<R> =>
  keeper.transaction(async ({ executor }) => {
    const text = 'select pg_advisory_xact_lock($1, hashtext($2))';
    await executor.query({ text, values: [REPORTS_LOCK, keeper.organizationId] });
    return work(executor);
  });
