import { holdCustomer } from '../customers/hold-customer.ts';
import { applyPendingUpdate } from '../customers/pending-update.ts';
import { DomainError } from '../errors.ts';
import { freeAgents } from '../routing/free-agents.ts';
import type { OrganizationScope } from '../scope.ts';
import { appendEvents } from './append-statement.ts';
import { getChatRow } from './find-chat.ts';
import type { EventDraft } from './records.ts';

const closingMessage = (scope: OrganizationScope): EventDraft => {
  const byCustomer = scope.actor.kind === 'customer';
  return {
    content: {
      type: 'system_message',
      systemMessageType: byCustomer ? 'manual_archived_customer' : 'manual_archived_agent',
      text: byCustomer ? 'The customer closed the chat' : 'The chat was closed by an agent',
    },
    visibility: 'all',
    properties: {},
  };
};

/** Closes the open thread; the chat is an archive until it is resumed. */
export const deactivateChat = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    await holdCustomer(tx, (await getChatRow(tx, chatId)).customerId);
    const chat = await getChatRow(tx, chatId, true);
    if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
    const { organizationId } = tx;
    const threadId = chat.lastThreadId;
    const closedAt = tx.now();
    const [closing] = await appendEvents(tx.executor, [
      {
        organizationId,
        chatId,
        author: { kind: 'system' },
        draft: closingMessage(tx),
        attachToLastThread: false,
        at: closedAt,
      },
    ]);
    await tx.update('threads').where('id', '=', threadId).set({ active: false, closedAt }).execute();
    await freeAgents(tx, chatId, async () => {
      await tx.update('chats').where('id', '=', chatId).set({ active: false }).execute();
      await tx.update('chatUsers').where('chatId', '=', chatId).set({ present: false }).execute();
    });
    const inChat = { organizationId, chatId, threadId, customerId: chat.customerId, groupIds: chat.groupIds };
    if (closing?.outcome === 'appended') tx.emit({ type: 'event_sent', ...inChat, event: closing.event });
    tx.emit({ type: 'chat_deactivated', ...inChat, ...('id' in tx.actor ? { userId: String(tx.actor.id) } : {}) });
    await applyPendingUpdate(tx, chat.customerId);
  });
