import type { GoalType } from '#server/storage/tables/goals.ts';
import { requireAdministrator } from '../access.ts';
import { DomainError, invalid, notFound } from '../errors.ts';
import { nextNumber } from '../next-number.ts';
import type { OrganizationScope } from '../scope.ts';
import { conditionOf } from './reach-goals.ts';
import type { GoalCondition, WatchedGoal } from './reached.ts';

export type GoalRecord = WatchedGoal & { name: string };

const MOST_CHARACTERS = 2048;

const required = (field: string, text: string): void => {
  if (text.trim() === '' || text.length > MOST_CHARACTERS)
    throw invalid(field, `must have 1 to ${MOST_CHARACTERS} characters`);
};

const checkName = (name: string): void => {
  if (name.trim() === '') throw new DomainError('validation', '`name` must not be empty');
};

const checkCondition = (condition: GoalCondition): { type: GoalType; fields: string } => {
  const { type, ...fields } = condition;
  if (condition.type === 'url') required('url', condition.url);
  if (condition.type === 'custom_variable') {
    required('custom_variable_name', condition.customVariableName);
    required('custom_variable_value', condition.customVariableValue);
  }
  return { type, fields: JSON.stringify(fields) };
};

const living = (scope: OrganizationScope) =>
  scope.from('goals').where('deletedAt', 'is', null).select(['id', 'name', 'active', 'type', 'fields']);

type GoalRow = Awaited<ReturnType<ReturnType<typeof living>['executeTakeFirstOrThrow']>>;

const toGoal = ({ id, name, active, ...row }: GoalRow): GoalRecord => ({ id, name, active, ...conditionOf(row) });

export const listGoals = async (
  scope: OrganizationScope,
  { type }: { type?: GoalType | undefined } = {},
): Promise<GoalRecord[]> => {
  requireAdministrator(scope.actor);
  const all = living(scope).orderBy('id');
  return (await (type ? all.where('type', '=', type) : all).execute()).map(toGoal);
};

export const getGoal = async (scope: OrganizationScope, { id }: { id: number }): Promise<GoalRecord> => {
  requireAdministrator(scope.actor);
  const row = await living(scope).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Goal');
  return toGoal(row);
};

export const createGoal = async (
  scope: OrganizationScope,
  { name, condition }: { name: string; condition: GoalCondition },
): Promise<GoalRecord> => {
  requireAdministrator(scope.actor);
  checkName(name);
  const checked = checkCondition(condition);
  return scope.transaction(async (tx) => {
    const id = await nextNumber(tx, 'goals');
    await tx.insert('goals', { id, name, ...checked, createdAt: tx.now() }).execute();
    return getGoal(tx, { id });
  });
};

export const updateGoal = async (
  scope: OrganizationScope,
  { id, condition, ...changes }: { id: number; name?: string; active?: boolean; condition?: GoalCondition },
): Promise<GoalRecord> => {
  requireAdministrator(scope.actor);
  if (changes.name !== undefined) checkName(changes.name);
  const set = { ...changes, ...(condition ? checkCondition(condition) : {}) };
  if (Object.keys(set).length > 0)
    await scope.update('goals').where('id', '=', id).where('deletedAt', 'is', null).set(set).execute();
  return getGoal(scope, { id });
};

/** What it has counted so far stays. */
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
