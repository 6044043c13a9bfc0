import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { Executor } from '#server/storage/executor.ts';
import type { OrganizationScope } from '../../scope.ts';

/** One transaction at a time per organization, because concurrent ones would store the same new data twice. */
export const underReportLock = <R>(scope: OrganizationScope, work: (executor: Executor) => Promise<R>): Promise<R> =>
  scope.transaction(async ({ executor }) => {
    await lockInTransaction(executor, 'reports', scope.organizationId);
    return work(executor);
  });
