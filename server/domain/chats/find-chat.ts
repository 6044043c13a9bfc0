import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import { requireAgent, requireCustomer, visibleGroups } from '../access.ts';
import { DomainError, notFound } from '../errors.ts';
import type { OrganizationScope } from '../scope.ts';

type ChatRow = Selectable<ChatsTable>;

/** A customer has its own chats; an agent those of its groups; nobody learns whether another's chat exists. */
export const mayReadChat = (scope: OrganizationScope, chat: Pick<ChatRow, 'customerId' | 'groupIds'>): boolean => {
  if (scope.actor.kind === 'system') return true;
  if (scope.actor.kind === 'customer') return chat.customerId === requireCustomer(scope.actor).id;
  const groups = visibleGroups(requireAgent(scope.actor));
  return groups === undefined || chat.groupIds.some((id) => groups.includes(id));
};

export const getChatRow = async (scope: OrganizationScope, chatId: string, lock = false): Promise<ChatRow> => {
  const query = scope.from('chats').where('id', '=', chatId).selectAll();
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst();
  if (!row || !mayReadChat(scope, row)) throw notFound('Chat');
  if (row.anonymized) throw new DomainError('chat_anonymized', 'Chat anonymized');
  return row;
};
