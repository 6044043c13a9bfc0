import { requireCustomer } from '../../../access.ts';
import { DomainError, invalid } from '../../../errors.ts';
import { announce, type OrganizationScope } from '../../../scope.ts';
import { getChatRow } from '../read/find-chat.ts';

const MAX_TEXT_BYTES = 16 * 1024;

/** Pushes what the customer is typing to agents. It is not stored. */
export const sendSneakPeek = async (
  scope: OrganizationScope,
  { chatId, text }: { chatId: string; text: string },
): Promise<void> => {
  const { kind, id } = requireCustomer(scope.actor);
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    throw invalid('sneakPeekText', `must not be longer than ${MAX_TEXT_BYTES} bytes`);
  const { active, lastThreadId: threadId, customerId, groupIds } = await getChatRow(scope, chatId);
  if (!active) throw new DomainError('chat_inactive', 'No active chat thread');
  const about = { organizationId: scope.organizationId, chatId, threadId, customerId, groupIds };
  announce(scope, { type: 'sneak_peek_sent', ...about, user: { kind, id }, text, sentAt: scope.now() });
};
