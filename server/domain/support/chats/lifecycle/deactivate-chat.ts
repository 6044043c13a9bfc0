import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { lockCustomer } from '../../customers/lock-customer.ts';
import { applyPendingUpdate } from '../../customers/pending-update.ts';
import { closeLockedChat, lockForClosing } from '../../routing/close-chat.ts';
import { appendEvents } from '../append/append-statement.ts';
import { assertCanAct, toRequester } from '../participants/requester.ts';
import { getChatRow } from '../read/find-chat.ts';
import type { EventDraft } from '../records.ts';

/** Why the server closes a chat. */
export interface CloseReason {
  systemMessageType: string;
  text: string;
  textVars?: Record<string, string>;
  /** How the chat left the queue, if it was queued. */
  outcome: 'left' | 'closed';
  /** Checked again under the organization lock. */
  stillApplies(tx: OrganizationScope, chat: Selectable<ChatsTable>): boolean | Promise<boolean>;
}

const byCustomer: Omit<CloseReason, 'stillApplies'> = {
  systemMessageType: 'manual_archived_customer',
  text: 'The customer closed the chat',
  outcome: 'left',
};
const byAgent: Omit<CloseReason, 'stillApplies'> = {
  systemMessageType: 'manual_archived_agent',
  text: 'The chat was closed by an agent',
  outcome: 'closed',
};

const closingMessage = ({ systemMessageType, text, textVars }: Omit<CloseReason, 'stillApplies'>): EventDraft => ({
  content: { type: 'system_message', systemMessageType, text, ...(textVars ? { textVars } : {}) },
  visibility: 'all',
  properties: {},
});

export interface DeactivateInput {
  chatId: string;
  /** Owners and administrators may close chats they are not in. */
  ignoreRequesterPresence?: boolean | undefined;
  reason?: CloseReason | undefined;
}

const readActive = async (tx: OrganizationScope, { chatId, ignoreRequesterPresence = false }: DeactivateInput) => {
  const chat = await getChatRow(tx, chatId);
  if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
  await assertCanAct(tx, chatId, ignoreRequesterPresence);
  return chat;
};

/** Closes the active thread and archives the chat. Several chats are closed in one transaction each. */
export const deactivateChat = (scope: OrganizationScope, input: DeactivateInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { chatId, reason } = input;
    const closing = reason ?? (tx.actor.kind === 'customer' ? byCustomer : byAgent);
    await lockCustomer(tx, (await getChatRow(tx, chatId)).customerId);
    const locked = await lockForClosing(tx, () => readActive(tx, input));
    if (reason && !(await reason.stillApplies(tx, await getChatRow(tx, chatId)))) return;
    const { customerId, groupIds, lastThreadId: threadId } = locked.chat;
    const { organizationId } = tx;
    const [appended] = await appendEvents(tx.executor, [
      {
        organizationId,
        chatId,
        author: { kind: 'system' },
        draft: closingMessage(closing),
        attachToLastThread: false,
        at: tx.now(),
      },
    ]);
    const inChat = { organizationId, chatId, threadId, customerId, groupIds };
    if (appended?.outcome === 'appended') tx.emit({ type: 'event_sent', ...inChat, event: appended.event });
    const requester = await toRequester(tx, chatId);
    const by = requester && { userId: requester.id, visibility: requester.visibility };
    tx.emit({ type: 'chat_deactivated', ...inChat, ...by });
    await closeLockedChat(tx, locked, closing.outcome);
    await applyPendingUpdate(tx, customerId);
  });
