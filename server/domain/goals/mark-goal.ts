import type { Sale } from '#server/storage/tables/goals.ts';
import { requireMember } from '../access.ts';
import { findVisitor } from '../customers/find-visitor.ts';
import { DomainError, notFound } from '../errors.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import { findLastVisit, type VisitRow } from '../visits/current-visit.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { countGoals } from './reach-goals.ts';

type Tx = Transaction<OrganizationScope>;

export interface MarkGoalInput {
  goalId: number;
  /** A customer's id, or the one that a program gave to a visitor of its own. */
  visitorId: string;
  sale?: Sale | undefined;
}

/** A goal that the visit has reached already without an order gets this one. Says whether it had. */
const addSale = async (tx: Tx, { id: visitId }: VisitRow, goalId: number, sale: Sale): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .update('goalHits')
    .where('visitId', '=', visitId)
    .where('goalId', '=', goalId)
    .where('sale', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('goalHits as same')
            .whereRef('same.organizationId', '=', 'goalHits.organizationId')
            .where('same.visitId', '=', visitId)
            .where('same.goalId', '=', goalId)
            .where('same.orderId', '=', sale.orderId ?? '')
            .where('same.sale', 'is not', null)
            .select('same.goalId'),
        ),
      ),
    )
    .set({ sale: JSON.stringify(sale), orderId: sale.orderId ?? '' })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Somebody who knows says that the customer reached a goal of any type. It counts for the latest visit, also one that is
 * over: whoever says so may do it late. Says whether it was new: the same order is one sale however often it is told.
 */
export const markGoal = async (
  scope: OrganizationScope,
  { goalId, visitorId, sale }: MarkGoalInput,
): Promise<boolean> => {
  requireMember(scope.actor);
  return scope.transaction(async (tx) => {
    const goal = await tx
      .from('goals')
      .where('id', '=', goalId)
      .where('deletedAt', 'is', null)
      .select('active')
      .executeTakeFirst();
    if (!goal) throw notFound('Goal');
    if (!goal.active) throw new DomainError('conflict', 'The goal is paused');
    const customerId = await findVisitor(tx, visitorId);
    // Two who tell of the same visit wait for each other.
    await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().executeTakeFirst();
    const visit = (await findLastVisit(tx, customerId)) ?? (await touchVisit(tx, customerId));
    if (sale && (await addSale(tx, visit, goalId, sale))) return true;
    return (await countGoals(tx, visit, [goalId], sale)).length > 0;
  });
};
