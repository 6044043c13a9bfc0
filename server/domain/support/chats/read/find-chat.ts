import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import { requireAgent, requireCustomer, visibleGroups } from '../../../access.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';

type ChatRow = Selectable<ChatsTable>;

export type Readable = Pick<ChatRow, 'id' | 'customerId' | 'groupIds' | 'anonymized'>;

const isInChat = async (scope: OrganizationScope, chatId: string, agentId: string): Promise<boolean> =>
  (await scope
    .from('chatUsers')
    .where('chatId', '=', chatId)
    .where('kind', '=', 'agent')
    .where('userId', '=', agentId)
    .where('present', '=', true)
    .select('userId')
    .executeTakeFirst()) !== undefined;

/**
 * Customers may read their own chats; agents may read chats of their groups and chats they are in. Other chats are
 * reported as not found, so that their existence is not revealed.
 */
const canReadChat = (scope: OrganizationScope, chat: Readable): boolean | Promise<boolean> => {
  if (scope.actor.kind === 'system') return true;
  if (scope.actor.kind === 'customer') return chat.customerId === requireCustomer(scope.actor).id;
  const agent = requireAgent(scope.actor);
  const groups = visibleGroups(agent);
  if (groups === undefined || chat.groupIds.some((id) => groups.includes(id))) return true;
  return isInChat(scope, chat.id, agent.id);
};

export const assertReadable = async <Row extends Readable>(
  scope: OrganizationScope,
  chat: Row | undefined,
): Promise<Row> => {
  if (!chat || !(await canReadChat(scope, chat))) throw notFound('Chat');
  if (chat.anonymized) throw new DomainError('chat_anonymized', 'Chat anonymized');
  return chat;
};

export const getChatRow = async (scope: OrganizationScope, chatId: string, lock = false): Promise<ChatRow> => {
  const query = scope.from('chats').where('id', '=', chatId).selectAll();
  return assertReadable(scope, await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst());
};
