import type { Sale } from '#server/storage/tables/goals.ts';
import { requireMember } from '../../access.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { findVisitor } from '../customers/find-visitor.ts';
import { findLastVisit } from '../visits/current-visit.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { countGoals, countSale } from './reach-goals.ts';

export interface MarkGoalInput {
  goalId: number;
  /** A customer's id, or the one that a program gave to a visitor of its own. */
  visitorId: string;
  sale?: Sale | undefined;
}

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
    return sale ? countSale(tx, visit, goalId, sale) : (await countGoals(tx, visit, [goalId])).length > 0;
  });
};
