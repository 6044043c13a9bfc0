import type { Selectable } from 'kysely';
import type { GreetingsTable } from '#server/storage/tables/greetings.ts';
import { requireAdministrator, requireMember } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { definedFields } from '../../defined-fields.ts';
import { DomainError, notFound } from '../../errors.ts';
import { nextNumber } from '../../next-number.ts';
import type { OrganizationScope } from '../../scope.ts';
import { assertGroupsExist } from '../groups/online.ts';
import type { GreetingDraft, GreetingRecord } from './records.ts';
import { checkRules, completeRule, type Rule, type RuleDraft } from './rules.ts';

const MAX_MESSAGE_LENGTH = 16_384;

const toGreeting = ({ id, groupId, name, active, rules, message }: Selectable<GreetingsTable>): GreetingRecord => ({
  ...{ id, groupId, name, active, message },
  rules: rules as Rule[],
});

const writeRules = (rules: RuleDraft[]): string => {
  const errors = checkRules(rules);
  if (errors[0]) throw new DomainError('validation', `\`${errors[0].field}\` ${errors[0].message}`, { fields: errors });
  return JSON.stringify(rules.map(completeRule));
};

const checkTexts = ({ name, message }: Partial<GreetingDraft>): void => {
  if (name !== undefined && name.trim() === '') throw new DomainError('validation', '`name` must not be empty');
  if (message !== undefined && message.length > MAX_MESSAGE_LENGTH)
    throw new DomainError('validation', `The message must not exceed ${MAX_MESSAGE_LENGTH} characters`);
};

const activeGreetings = (scope: OrganizationScope) =>
  scope.from('greetings').where('deletedAt', 'is', null).selectAll();

export const listGreetings = async (
  scope: OrganizationScope,
  { groupId }: { groupId?: number | undefined } = {},
): Promise<GreetingRecord[]> => {
  requireMember(scope.actor);
  const all = activeGreetings(scope).orderBy('id');
  return (await (groupId === undefined ? all : all.where('groupId', '=', groupId)).execute()).map(toGreeting);
};

export const getGreeting = async (scope: OrganizationScope, { id }: { id: number }): Promise<GreetingRecord> => {
  requireMember(scope.actor);
  const row = await activeGreetings(scope).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Greeting');
  return toGreeting(row);
};

export const createGreeting = async (
  scope: OrganizationScope,
  { name, rules, groupId = ALL_AGENTS, message = '' }: Pick<GreetingDraft, 'name' | 'rules'> & Partial<GreetingDraft>,
): Promise<GreetingRecord> => {
  requireAdministrator(scope.actor);
  checkTexts({ name, message });
  const written = writeRules(rules);
  return scope.transaction(async (tx) => {
    await assertGroupsExist(tx, [groupId]);
    const id = await nextNumber(tx, 'greetings');
    await tx.insert('greetings', { id, groupId, name, rules: written, message, createdAt: tx.now() }).execute();
    return getGreeting(tx, { id });
  });
};

/** Given rules replace the existing ones. */
export const updateGreeting = async (
  scope: OrganizationScope,
  { id, rules, ...change }: { id: number } & Partial<Omit<GreetingDraft, 'groupId'>>,
): Promise<GreetingRecord> => {
  requireAdministrator(scope.actor);
  checkTexts(change);
  const set = { ...definedFields(change), ...(rules ? { rules: writeRules(rules) } : {}) };
  if (Object.keys(set).length > 0)
    await scope.update('greetings').where('id', '=', id).where('deletedAt', 'is', null).set(set).execute();
  return getGreeting(scope, { id });
};

/** Statistics of the greeting are kept. */
export const deleteGreeting = async (scope: OrganizationScope, { id }: { id: number }): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numUpdatedRows } = await scope
    .update('greetings')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .set({ deletedAt: scope.now() })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('Greeting');
};
