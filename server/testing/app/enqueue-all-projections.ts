import { enqueueProjections } from '#server/domain/projection-queue.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';

/** For tests that insert source rows directly: enqueues all projections, so that the next read recomputes them. */
export const enqueueAllProjections = async (scope: OrganizationScope): Promise<void> => {
  const threads = (await scope.from('threads').select('id').execute()).map(({ id }) => id);
  const tickets = (await scope.from('tickets').select('id').execute()).map(({ id }) => id);
  await enqueueProjections(scope, { archive_search: threads, report_facts: threads, ticket_search: tickets });
};
