import type { GoalType } from '#server/storage/tables/goals.ts';
import { requireAdministrator, requireMember } from '../../access.ts';
import { DomainError, notFound } from '../../errors.ts';
import { nextNumber } from '../../next-number.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type GoalFields, readCondition } from './conditions.ts';
import type { GoalCondition, GoalToCheck } from './find-reached-goals.ts';
import { conditionOf } from './reach-goals.ts';

export type GoalRecord = GoalToCheck & { name: string };

const checkName = (name: string): void => {
  if (name.trim() === '') throw new DomainError('validation', '`name` must not be empty');
};

const write = ({ type, ...fields }: GoalCondition) => ({ type, fields: JSON.stringify(fields) });

const existing = (scope: OrganizationScope) =>
  scope.from('goals').where('deletedAt', 'is', null).select(['id', 'name', 'active', 'type', 'fields']);

type GoalRow = Awaited<ReturnType<ReturnType<typeof existing>['executeTakeFirstOrThrow']>>;

const toGoal = ({ id, name, active, ...row }: GoalRow): GoalRecord => ({ id, name, active, ...conditionOf(row) });

export const listGoals = async (
  scope: OrganizationScope,
  { type }: { type?: GoalType | undefined } = {},
): Promise<GoalRecord[]> => {
  requireMember(scope.actor);
  const all = existing(scope).orderBy('id');
  return (await (type ? all.where('type', '=', type) : all).execute()).map(toGoal);
};

export const getGoal = async (scope: OrganizationScope, { id }: { id: number }): Promise<GoalRecord> => {
  requireMember(scope.actor);
  const row = await existing(scope).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Goal');
  return toGoal(row);
};

export const createGoal = async (
  scope: OrganizationScope,
  { name, condition }: { name: string; condition: GoalFields },
): Promise<GoalRecord> => {
  requireAdministrator(scope.actor);
  checkName(name);
  const written = write(readCondition(condition));
  return scope.transaction(async (tx) => {
    const id = await nextNumber(tx, 'goals');
    await tx.insert('goals', { id, name, ...written, createdAt: tx.now() }).execute();
    return getGoal(tx, { id });
  });
};

export interface GoalChange {
  id: number;
  name?: string | undefined;
  active?: boolean | undefined;
  condition?: GoalFields | undefined;
}

/** Absent fields stay unchanged. */
export const updateGoal = async (
  scope: OrganizationScope,
  { id, name, active, condition }: GoalChange,
): Promise<GoalRecord> => {
  requireAdministrator(scope.actor);
  if (name !== undefined) checkName(name);
  return scope.transaction(async (tx) => {
    const row = await existing(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    if (!row) throw notFound('Goal');
    const set = {
      name: name ?? row.name,
      active: active ?? row.active,
      ...(condition ? write(readCondition(condition, conditionOf(row))) : {}),
    };
    await tx.update('goals').where('id', '=', id).set(set).execute();
    // The condition determines whether a goal is a sale.
    if (condition) await enqueueProjection(tx, 'archive_search', [`goal:${id}`]);
    return getGoal(tx, { id });
  });
};

/** Statistics of the goal are kept. */
export const deleteGoal = async (scope: OrganizationScope, { id }: { id: number }): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numUpdatedRows } = await scope
    .update('goals')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .set({ deletedAt: scope.now() })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('Goal');
};
