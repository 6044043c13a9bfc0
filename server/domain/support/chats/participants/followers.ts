import { requireAgent } from '../../../access.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { getChatRow } from '../read/find-chat.ts';
import { getChat } from '../read/get-chat.ts';

/** Subscribes the agent to a chat without joining it. Following a chat twice has no effect. */
export const followChat = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    const { id: agentId } = requireAgent(tx.actor);
    const chat = await getChat(tx, { chatId });
    await tx
      .insert('chatFollowers', { chatId, agentId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { lastThreadId: threadId, customerId, groupIds } = chat;
    const about = { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds };
    tx.emit({ type: 'chat_followed', ...about, agentId, chat });
  });

/** Works even if the agent can no longer see the chat. */
export const unfollowChat = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    const { id: agentId } = requireAgent(tx.actor);
    const { numDeletedRows } = await tx
      .remove('chatFollowers')
      .where('chatId', '=', chatId)
      .where('agentId', '=', agentId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return void (await getChatRow(tx, chatId));
    const { threadId, customerId, groupIds } = await tx
      .from('chats')
      .where('id', '=', chatId)
      .select(['lastThreadId as threadId', 'customerId', 'groupIds'])
      .executeTakeFirstOrThrow();
    const about = { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds };
    tx.emit({ type: 'chat_unfollowed', ...about, agentId });
  });

/** Returns which of these chats the agent follows. */
export const filterFollowedChats = async (scope: OrganizationScope, chatIds: string[]): Promise<Set<string>> => {
  const { id: agentId } = requireAgent(scope.actor);
  if (chatIds.length === 0) return new Set();
  const rows = await scope
    .from('chatFollowers')
    .where('agentId', '=', agentId)
    .where('chatId', 'in', chatIds)
    .select('chatId')
    .execute();
  return new Set(rows.map(({ chatId }) => chatId));
};
