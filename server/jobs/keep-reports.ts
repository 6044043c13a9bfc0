import type { Services } from '#server/domain/scope.ts';
import { keepFacts } from '#server/domain/support/reports/keep-facts.ts';
import type { Executor } from '#server/storage/executor.ts';
import { findOrganizationsWithReportMarks } from '#server/storage/platform-timers.ts';
import { beginRun } from './each-organization.ts';
import type { Nothing } from './index.ts';
import type { JobLog } from './job-log.ts';

/** As long as one run may last; what is left then waits for the next. */
const RUN_MS = 45_000;
/** Nobody's history keeps the others waiting, nor the end of the process. */
const EACH_MS = 1_000;

/** Counts the chats that ended or changed, wherever nobody reads reports and so does it already. */
export const keepReports =
  (database: Executor, services: Services, log: JobLog) =>
  async (_: Nothing, signal?: AbortSignal): Promise<void> => {
    const until = performance.now() + RUN_MS;
    const forEach = beginRun(services, log, signal);
    for (let due = 1; due > 0 && performance.now() < until; )
      due = await forEach(await findOrganizationsWithReportMarks(database), (scope) => keepFacts(scope, EACH_MS));
  };
