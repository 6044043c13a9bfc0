import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { GoalsTable, Sale } from '#server/storage/tables/goals.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { findCurrentVisit, type VisitRow } from '../visits/current-visit.ts';
import { customVariablesOf } from '../visits/read-visitor.ts';
import { type GoalCondition, reachedGoals, type WatchedGoal } from './reached.ts';

type Tx = Transaction<OrganizationScope>;

export const conditionOf = ({ type, fields }: Pick<GoalsTable, 'type'> & { fields: object }): GoalCondition =>
  ({ ...fields, type }) as GoalCondition;

/** Only those that a page or a variable can reach. */
export const listWatched = async (tx: Tx): Promise<WatchedGoal[]> => {
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

/** What was reached with an order was reached. */
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
  return rows.map(({ goalId }) => goalId);
};

/** Counts goals for a visit, each once; says which of them were new. */
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

/** A goal that the visit has reached already without an order gets this one. Says whether it had. */
const addSale = async (tx: Tx, { id: visitId }: VisitRow, goalId: number, sale: Sale): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .update('goalHits')
    .where('visitId', '=', visitId)
    .where('goalId', '=', goalId)
    .where('sale', 'is', null)
    .set({ sale: JSON.stringify(sale), orderId: sale.orderId ?? '' })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Counts a goal with an order; says whether that was new. A customer's order is one sale, in however many visits it is told.
 * Whoever calls this holds the customer.
 */
export const countSale = async (tx: Tx, visit: VisitRow, goalId: number, sale: Sale): Promise<boolean> => {
  if (sale.orderId && (await isKnownOrder(tx, visit, goalId, sale.orderId))) return false;
  return (await addSale(tx, visit, goalId, sale)) || (await write(tx, visit, [goalId], sale)).length > 0;
};

export interface Signs {
  pageUrl?: string | undefined;
  /** What is said beside the customer's own session fields, for this once. */
  sessionFields?: SessionFields;
}

/** Which goals the page and the variables of the customer reach. */
export const reachGoals = async (tx: Tx, visit: VisitRow, { pageUrl, sessionFields = [] }: Signs): Promise<void> => {
  const goals = await listWatched(tx);
  if (goals.length === 0) return;
  const customer = await tx
    .from('customers')
    .where('id', '=', visit.customerId)
    .select('sessionFields')
    .executeTakeFirstOrThrow();
  const customVariables = customVariablesOf([...customer.sessionFields, ...sessionFields]);
  const reached = reachedGoals(goals, { ...(pageUrl ? { pageUrl } : {}), customVariables });
  await countGoals(
    tx,
    visit,
    reached.map(({ id }) => id),
  );
};

/** The customer's session fields have just changed. Outside a visit that waits for the next page. */
export const reachGoalsByFields = async (tx: Tx, customerId: string): Promise<void> => {
  const visit = await findCurrentVisit(tx, customerId);
  if (visit) await reachGoals(tx, visit, {});
};
