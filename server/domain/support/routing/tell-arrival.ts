import type { InChat } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { getChat } from '../chats/read/get-chat.ts';
import type { Answering } from './write-placements.ts';

/** An agent of another group, who stands in, has not seen the chat: it gets all of it. */
export const tellArrival = async (
  tx: Transaction<OrganizationScope>,
  about: InChat,
  { seesGroups, wasThere }: Answering,
): Promise<void> => {
  if (seesGroups || wasThere) return;
  const asSystem: OrganizationScope = { ...tx, actor: { kind: 'system' } };
  const chat = await getChat(asSystem, { chatId: about.chatId });
  tx.emit({ type: 'chat_arrived', ...about, chat, from: { groupIds: about.groupIds, agentIds: [] } });
};
