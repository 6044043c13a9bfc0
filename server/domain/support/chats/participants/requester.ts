import type { Visibility } from '#server/storage/tables/chats.ts';
import { DomainError } from '../../../errors.ts';
import type { Requester } from '../../../events.ts';
import type { OrganizationScope } from '../../../scope.ts';

/** How an agent is in a chat now: for all to see, as a silent supervisor, or not at all. */
export const presenceOf = async (
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

/** Whether the customer knows the agent from this chat, be it there still or not. */
export const isSeenIn = async (scope: OrganizationScope, chatId: string, agentId: string): Promise<boolean> =>
  (await scope
    .from('chatUsers')
    .where('chatId', '=', chatId)
    .where('kind', '=', 'agent')
    .where('userId', '=', agentId)
    .where('visibility', '=', 'all')
    .select('userId')
    .executeTakeFirst()) !== undefined;

/** The actor as others may hear of it: whom the customer does not see in the chat, it hears nothing of. */
export const requesterIn = async (scope: OrganizationScope, chatId: string): Promise<Requester | undefined> => {
  const { actor } = scope;
  if (actor.kind === 'customer') return { kind: 'customer', id: actor.id, visibility: 'all' };
  if (actor.kind !== 'agent') return undefined;
  return { kind: 'agent', id: actor.id, visibility: (await presenceOf(scope, chatId, actor.id)) ?? 'agents' };
};

/** An agent acts in chats that it is in; the owner and administrators also from outside, when they say so. */
export const assertMayAct = async (
  scope: OrganizationScope,
  chatId: string,
  ignoreRequesterPresence: boolean,
): Promise<void> => {
  const { actor } = scope;
  if (actor.kind !== 'agent') return;
  if (ignoreRequesterPresence && actor.permission !== 'normal') return;
  if ((await presenceOf(scope, chatId, actor.id)) === undefined)
    throw new DomainError('forbidden', 'You are not in this chat');
};
