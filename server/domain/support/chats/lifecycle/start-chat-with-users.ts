import { requireChatAuthor } from '../../../access.ts';
import { invalid, notFound } from '../../../errors.ts';
import { isUuid } from '../../../ids.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertNotBanned } from '../../customers/bans.ts';
import { checkInitialProperties } from '../../properties/check-initial.ts';
import { assertChatLimit, type OpenedThread, resolveGroups } from './open-thread.ts';
import { insertChat, type StartChatInput } from './start-chat.ts';

export interface StartChatWithUsersInput extends StartChatInput {
  users: { kind: 'customer' | 'agent'; id: string }[];
}

const readCustomer = (users: StartChatWithUsersInput['users']): string => {
  const [customer, other] = users.filter(({ kind }) => kind === 'customer');
  if (!customer || other) throw invalid('chat.users', 'must contain exactly one customer');
  return customer.id.toLowerCase();
};

const findCustomer = async (scope: OrganizationScope, id: string): Promise<void> => {
  const row = isUuid(id)
    ? await scope.from('customers').where('id', '=', id).select('bannedUntil').executeTakeFirst()
    : undefined;
  if (!row) throw notFound('Customer');
  assertNotBanned(row.bannedUntil, scope.now());
};

const findAgents = async (scope: OrganizationScope, logins: string[]): Promise<string[]> => {
  const ids = [...new Set(logins.map((login) => login.toLowerCase()))];
  if (ids.length === 0) return [];
  const rows = await scope.from('agents').where('id', 'in', ids).where('deletedAt', 'is', null).select('id').execute();
  if (rows.length < ids.length) throw notFound('Agent');
  return ids;
};

/** Starts a chat on behalf of an agent, who is assigned to it. */
export const startChatWithUsers = async (
  scope: OrganizationScope,
  input: StartChatWithUsersInput,
): Promise<OpenedThread> => {
  const author = requireChatAuthor(scope.actor);
  checkInitialProperties(await scope.services.support.properties.load(scope.organizationId), scope.actor, input);
  const customerId = readCustomer(input.users);
  return scope.transaction(async (tx) => {
    await findCustomer(tx, customerId);
    const named = input.users.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
    const agentIds = (await findAgents(tx, named)).filter((id) => id !== author.id);
    if (input.active) await assertChatLimit(tx, customerId);
    const groupIds = await resolveGroups(tx, input.groupIds);
    return insertChat(tx, { customerId, groupIds, author, agentIds }, input);
  });
};
