import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import type { JobLog } from './job-log.ts';

/** Works for each of these in turn, and says for how many it tried. */
export type EachOrganization = (ids: string[], work: (scope: OrganizationScope) => Promise<unknown>) => Promise<number>;

/**
 * What fails for one is noted and keeps nobody else waiting; it is not tried again before the next run. When the process wants
 * to end, nobody is next.
 */
export const beginRun = (services: Services, log: JobLog, signal?: AbortSignal): EachOrganization => {
  const failed = new Set<string>();
  return async (ids, work) => {
    const due = ids.filter((id) => !failed.has(id));
    for (const id of due) {
      if (signal?.aborted) return 0;
      try {
        await work(openOrganizationScope(services, { kind: 'system' }, id));
      } catch (error) {
        failed.add(id);
        log.error({ err: error, organizationId: id }, 'a job failed for one organization');
      }
    }
    return due.length;
  };
};
