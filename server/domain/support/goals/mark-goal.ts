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
  /** A customer id, or the visitor id of the account's own program. */
  visitorId: string;
  sale?: Sale | undefined;
}

/**
 * Marks a goal of any type as reached by the customer. It counts for the latest visit, even if that is over. Returns
 * whether it is new: an order is one sale, however often it is reported.
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
    // Serializes concurrent reports about the same visit.
    await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().executeTakeFirst();
    const visit = (await findLastVisit(tx, customerId)) ?? (await touchVisit(tx, customerId));
    return sale ? countSale(tx, visit, goalId, sale) : (await countGoals(tx, visit, [goalId])).length > 0;
  });
};
