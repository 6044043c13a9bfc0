import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { GoalsTable, Sale } from '#server/storage/tables/goals.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { findCurrentVisit, type VisitRow } from '../visits/current-visit.ts';
import { customVariablesOf } from '../visits/read-visitor.ts';
import { findReachedGoals, type GoalCondition, type GoalToCheck } from './find-reached-goals.ts';

type Tx = Transaction<OrganizationScope>;

export const conditionOf = ({ type, fields }: Pick<GoalsTable, 'type'> & { fields: object }): GoalCondition =>
  ({ ...fields, type }) as GoalCondition;

/** Goals that a page or a variable can reach. */
export const listWatched = async (tx: Tx): Promise<GoalToCheck[]> => {
  const rows = await tx
    .from('goals')
    .where('active', '=', true)
    .where('deletedAt', 'is', null)
    .where('type', 'in', ['url', 'custom_variable'])
    .select(['id', 'active', 'type', 'fields'])
    .execute();
  return rows.map(({ id, active, ...row }) => ({ id, active, ...conditionOf(row) }));
};

const findActiveThread = async (tx: Tx, customerId: string): Promise<string | null> => {
  const chat = await tx
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .orderBy('lastThreadCreatedAt', 'desc')
    .limit(1)
    .select('lastThreadId')
    .executeTakeFirst();
  return chat?.lastThreadId ?? null;
};

/** A goal that was reached with an order counts as reached. */
const notReached = async (tx: Tx, { id }: VisitRow, goalIds: number[]): Promise<number[]> => {
  if (goalIds.length === 0) return [];
  const hits = await tx
    .from('goalHits')
    .where('visitId', '=', id)
    .where('goalId', 'in', goalIds)
    .select('goalId')
    .execute();
  const reached = new Set(hits.map(({ goalId }) => goalId));
  return goalIds.filter((goalId) => !reached.has(goalId));
};

const write = async (tx: Tx, visit: VisitRow, goalIds: number[], sale?: Sale): Promise<number[]> => {
  if (goalIds.length === 0) return [];
  const hit = {
    ...{ visitId: visit.id, customerId: visit.customerId, groupId: visit.groupId, reachedAt: tx.now() },
    threadId: await findActiveThread(tx, visit.customerId),
    sale: sale ? JSON.stringify(sale) : null,
    orderId: sale?.orderId ?? '',
  };
  const rows = await tx
    .insert(
      'goalHits',
      goalIds.map((goalId) => ({ goalId, ...hit })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('goalId')
    .execute();
  if (hit.threadId && rows.length > 0) await enqueueProjection(tx, 'archive_search', [hit.threadId]);
  return rows.map(({ goalId }) => goalId);
};

/** Counts goals for a visit, each once. Returns those that are new. */
export const countGoals = async (tx: Tx, visit: VisitRow, goalIds: number[]): Promise<number[]> =>
  write(tx, visit, await notReached(tx, visit, goalIds));

const isKnownOrder = async (tx: Tx, { customerId }: VisitRow, goalId: number, orderId: string): Promise<boolean> =>
  (await tx
    .from('goalHits')
    .where('customerId', '=', customerId)
    .where('goalId', '=', goalId)
    .where('orderId', '=', orderId)
    .select('goalId')
    .executeTakeFirst()) !== undefined;

/** Adds the order to a goal that the visit has already reached without one. Returns whether there was such a goal. */
const addSale = async (tx: Tx, { id: visitId }: VisitRow, goalId: number, sale: Sale): Promise<boolean> => {
  const updated = await tx
    .update('goalHits')
    .where('visitId', '=', visitId)
    .where('goalId', '=', goalId)
    .where('sale', 'is', null)
    .set({ sale: JSON.stringify(sale), orderId: sale.orderId ?? '' })
    .returning('threadId')
    .execute();
  await enqueueProjection(
    tx,
    'archive_search',
    updated.flatMap(({ threadId }) => threadId ?? []),
  );
  return updated.length > 0;
};

/**
 * Counts a goal with an order and returns whether it is new. An order of a customer is one sale, in however many visits
 * it is reported. The customer must be locked.
 */
export const countSale = async (tx: Tx, visit: VisitRow, goalId: number, sale: Sale): Promise<boolean> => {
  if (sale.orderId && (await isKnownOrder(tx, visit, goalId, sale.orderId))) return false;
  return (await addSale(tx, visit, goalId, sale)) || (await write(tx, visit, [goalId], sale)).length > 0;
};

export interface Signs {
  pageUrl?: string | undefined;
  /** Additional session fields for this check only. */
  sessionFields?: SessionFields;
}

/** Counts the goals that the page and the session fields reach. */
export const reachGoals = async (tx: Tx, visit: VisitRow, { pageUrl, sessionFields = [] }: Signs): Promise<void> => {
  const goals = await listWatched(tx);
  if (goals.length === 0) return;
  const customer = await tx
    .from('customers')
    .where('id', '=', visit.customerId)
    .select('sessionFields')
    .executeTakeFirstOrThrow();
  const customVariables = customVariablesOf([...customer.sessionFields, ...sessionFields]);
  const reached = findReachedGoals(goals, { ...(pageUrl ? { pageUrl } : {}), customVariables });
  await countGoals(
    tx,
    visit,
    reached.map(({ id }) => id),
  );
};

/** Checks goals after the session fields changed. Without a visit, the next page does so. */
export const reachGoalsByFields = async (tx: Tx, customerId: string): Promise<void> => {
  const visit = await findCurrentVisit(tx, customerId);
  if (visit) await reachGoals(tx, visit, {});
};
