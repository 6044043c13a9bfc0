import type { ChatRef } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { getChat } from '../chats/read/get-chat.ts';
import type { AssignedAgent } from './write-assignments.ts';

/** Sends the whole chat to an agent from a fallback group, who could not see it before. */
export const announceArrival = async (
  tx: Transaction<OrganizationScope>,
  about: ChatRef,
  { isInChatGroups, wasPresent }: AssignedAgent,
): Promise<void> => {
  if (isInChatGroups || wasPresent) return;
  const asSystem: OrganizationScope = { ...tx, actor: { kind: 'system' } };
  const chat = await getChat(asSystem, { chatId: about.chatId });
  tx.emit({ type: 'chat_arrived', ...about, chat, from: { groupIds: about.groupIds, agentIds: [] } });
};
