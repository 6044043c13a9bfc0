import { keepFacts } from '#server/domain/support/reports/keep-facts.ts';
import type { Executor } from '#server/storage/executor.ts';
import { findOrganizationsWithReportMarks } from '#server/storage/platform-timers.ts';
import type { PeriodicTask } from './scheduler.ts';

/** As long as one run may last; the next run continues. */
const MAX_RUN_MS = 45_000;
/** Time per organization and round, so that one with a long history does not delay the others. */
const MAX_ORGANIZATION_MS = 1_000;

/** Counts the chats that ended or changed, for organizations whose reports are not read: a read counts them itself. */
export const updateReports =
  (database: Executor): PeriodicTask['run'] =>
  async ({ forEach }) => {
    const until = performance.now() + MAX_RUN_MS;
    for (let done = 1; done > 0 && performance.now() < until; ) {
      const ids = await findOrganizationsWithReportMarks(database);
      done = await forEach(
        ids.map((organizationId) => ({ organizationId })),
        (scope) => keepFacts(scope, MAX_ORGANIZATION_MS),
      );
    }
  };
