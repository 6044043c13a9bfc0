import type { Visibility } from '#server/storage/tables/chats.ts';
import { DomainError } from '../../../errors.ts';
import type { Requester } from '../../../events.ts';
import type { OrganizationScope } from '../../../scope.ts';

/** The visibility of an agent who is in the chat; undefined when the agent is not. */
export const chatPresence = async (
  scope: OrganizationScope,
  chatId: string,
  agentId: string,
): Promise<Visibility | undefined> =>
  (
    await scope
      .from('chatUsers')
      .where('chatId', '=', chatId)
      .where('kind', '=', 'agent')
      .where('userId', '=', agentId)
      .where('present', '=', true)
      .select('visibility')
      .executeTakeFirst()
  )?.visibility;

/** Whether the customer has seen the agent in this chat, even if the agent has left. */
export const isVisibleToCustomer = async (
  scope: OrganizationScope,
  chatId: string,
  agentId: string,
): Promise<boolean> =>
  (await scope
    .from('chatUsers')
    .where('chatId', '=', chatId)
    .where('kind', '=', 'agent')
    .where('userId', '=', agentId)
    .where('visibility', '=', 'all')
    .select('userId')
    .executeTakeFirst()) !== undefined;

/** The actor as shown to others. Agents whom the customer cannot see in the chat are hidden from the customer. */
export const toRequester = async (scope: OrganizationScope, chatId: string): Promise<Requester | undefined> => {
  const { actor } = scope;
  if (actor.kind === 'customer') return { kind: 'customer', id: actor.id, visibility: 'all' };
  if (actor.kind !== 'agent') return undefined;
  return { kind: 'agent', id: actor.id, visibility: (await chatPresence(scope, chatId, actor.id)) ?? 'agents' };
};

/**
 * Agents may act only in chats they are in. Owners and administrators may act from outside if they set
 * `ignoreRequesterPresence`.
 */
export const assertCanAct = async (
  scope: OrganizationScope,
  chatId: string,
  ignoreRequesterPresence: boolean,
): Promise<void> => {
  const { actor } = scope;
  if (actor.kind !== 'agent') return;
  if (ignoreRequesterPresence && actor.permission !== 'normal') return;
  if ((await chatPresence(scope, chatId, actor.id)) === undefined)
    throw new DomainError('forbidden', 'You are not in this chat');
};
