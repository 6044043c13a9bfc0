import type { SessionFields } from '#server/storage/tables/customers.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import type { VisitRow } from '../visits/current-visit.ts';
import { customVariablesOf } from '../visits/read-visitor.ts';
import { findReachedGoals } from './find-reached-goals.ts';
import { listWatched } from './reach-goals.ts';

export interface GoalCandidate {
  visit: VisitRow;
  pageUrls: string[];
  sessionFields: SessionFields;
}

const HITS = `
insert into goal_hits (organization_id, visit_id, goal_id, customer_id, group_id, thread_id, reached_at)
select $1, h."visitId", h."goalId", h."customerId", h."groupId", (
  select c.last_thread_id from chats c
  where c.organization_id = $1 and c.customer_id = h."customerId" and c.active
  order by c.last_thread_created_at desc limit 1
), $3
from json_to_recordset($2) as h("visitId" uuid, "goalId" int, "customerId" uuid, "groupId" int)
on conflict do nothing
returning thread_id as "threadId"`;

/** Counts the goals of several visitors in two statements. */
export const reachGoalsOfMany = async (
  tx: Transaction<OrganizationScope>,
  visitors: readonly GoalCandidate[],
): Promise<void> => {
  if (visitors.length === 0) return;
  const goals = await listWatched(tx);
  const hits = visitors.flatMap(({ visit: { id: visitId, customerId, groupId }, pageUrls, sessionFields }) => {
    const customVariables = customVariablesOf(sessionFields);
    const reached = [undefined, ...pageUrls].flatMap((pageUrl) =>
      findReachedGoals(goals, { ...(pageUrl === undefined ? {} : { pageUrl }), customVariables }),
    );
    return [...new Set(reached)].map(({ id: goalId }) => ({ visitId, goalId, customerId, groupId }));
  });
  if (hits.length === 0) return;
  const values = [tx.organizationId, JSON.stringify(hits), tx.now()];
  const { rows } = await tx.executor.query<{ threadId: string | null }>({
    name: 'reach_goals_of_many',
    text: HITS,
    values,
  });
  await enqueueProjection(
    tx,
    'archive_search',
    rows.flatMap(({ threadId }) => threadId ?? []),
  );
};
