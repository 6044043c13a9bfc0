import type { Visibility } from '#server/storage/tables/chats.ts';
import { requireAgent } from '../../../access.ts';
import { DomainError } from '../../../errors.ts';
import { announce, type OrganizationScope } from '../../../scope.ts';
import { chatPresence } from '../participants/requester.ts';
import { getChatRow } from '../read/find-chat.ts';

export interface TypingInput {
  chatId: string;
  isTyping: boolean;
  visibility: Visibility;
}

/** Pushes that the agent is typing. It is not stored. Customers get it only for agents they can see in the chat. */
export const sendTypingIndicator = async (scope: OrganizationScope, input: TypingInput): Promise<void> => {
  const { kind, id } = requireAgent(scope.actor);
  const { chatId, isTyping } = input;
  const { active, lastThreadId: threadId, customerId, groupIds } = await getChatRow(scope, chatId);
  if (!active) throw new DomainError('chat_inactive', 'No active chat thread');
  const isSeen = input.visibility === 'all' && (await chatPresence(scope, chatId, id)) === 'all';
  const about = { organizationId: scope.organizationId, chatId, threadId, customerId, groupIds };
  announce(scope, {
    type: 'typing_indicated',
    ...about,
    user: { kind, id },
    visibility: isSeen ? 'all' : 'agents',
    isTyping,
    sentAt: scope.now(),
  });
};
