import type { Sale } from '#server/storage/tables/goals.ts';
import { requireAgent } from '../access.ts';
import { notFound } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { OrganizationScope } from '../scope.ts';
import { findLastVisit } from '../visits/current-visit.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { countGoals } from './reach-goals.ts';

export interface MarkGoalInput {
  goalId: number;
  customerId: string;
  sale?: Sale | undefined;
}

/**
 * Somebody who knows says that the customer reached a goal of any type. It counts for the latest visit, also one that is
 * over: whoever says so may do it late. Says whether it was new; a goal that is paused is not reached.
 */
export const markGoal = async (scope: OrganizationScope, input: MarkGoalInput): Promise<boolean> => {
  if (scope.actor.kind !== 'system') requireAgent(scope.actor);
  const { goalId, customerId, sale } = input;
  if (!isUuid(customerId)) throw notFound('Customer');
  return scope.transaction(async (tx) => {
    const goal = await tx
      .from('goals')
      .where('id', '=', goalId)
      .where('deletedAt', 'is', null)
      .select('active')
      .executeTakeFirst();
    if (!goal) throw notFound('Goal');
    if (!goal.active) return false;
    const visit = (await findLastVisit(tx, customerId)) ?? (await touchVisit(tx, customerId));
    return (await countGoals(tx, visit, [goalId], sale)).length > 0;
  });
};
