import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { holdCustomer } from '../../customers/hold-customer.ts';
import { applyPendingUpdate } from '../../customers/pending-update.ts';
import { closeHeld, holdForClosing } from '../../routing/close-chat.ts';
import { appendEvents } from '../append/append-statement.ts';
import { assertMayAct, requesterIn } from '../participants/requester.ts';
import { getChatRow } from '../read/find-chat.ts';
import type { EventDraft } from '../records.ts';

/** Why the program itself closes a chat. */
export interface Because {
  systemMessageType: string;
  text: string;
  textVars?: Record<string, string>;
  /** What became of it if it waited. */
  outcome: 'left' | 'closed';
  /** Asked again when nothing can come in between any more. */
  holds(tx: OrganizationScope, chat: Selectable<ChatsTable>): boolean | Promise<boolean>;
}

const byCustomer: Omit<Because, 'holds'> = {
  systemMessageType: 'manual_archived_customer',
  text: 'The customer closed the chat',
  outcome: 'left',
};
const byAgent: Omit<Because, 'holds'> = {
  systemMessageType: 'manual_archived_agent',
  text: 'The chat was closed by an agent',
  outcome: 'closed',
};

const closingMessage = ({ systemMessageType, text, textVars }: Omit<Because, 'holds'>): EventDraft => ({
  content: { type: 'system_message', systemMessageType, text, ...(textVars ? { textVars } : {}) },
  visibility: 'all',
  properties: {},
});

export interface DeactivateInput {
  chatId: string;
  /** The owner and administrators may close chats that they are not in. */
  ignoreRequesterPresence?: boolean | undefined;
  because?: Because | undefined;
}

const readActive = async (tx: OrganizationScope, { chatId, ignoreRequesterPresence = false }: DeactivateInput) => {
  const chat = await getChatRow(tx, chatId);
  if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
  await assertMayAct(tx, chatId, ignoreRequesterPresence);
  return chat;
};

/** Closes the open thread; the chat is an archive until it is resumed. Several are closed in a transaction each. */
export const deactivateChat = (scope: OrganizationScope, input: DeactivateInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { chatId, because } = input;
    const why = because ?? (tx.actor.kind === 'customer' ? byCustomer : byAgent);
    await holdCustomer(tx, (await getChatRow(tx, chatId)).customerId);
    const held = await holdForClosing(tx, () => readActive(tx, input));
    if (because && !(await because.holds(tx, await getChatRow(tx, chatId)))) return;
    const { customerId, groupIds, lastThreadId: threadId } = held.chat;
    const { organizationId } = tx;
    const [closing] = await appendEvents(tx.executor, [
      {
        organizationId,
        chatId,
        author: { kind: 'system' },
        draft: closingMessage(why),
        attachToLastThread: false,
        at: tx.now(),
      },
    ]);
    const inChat = { organizationId, chatId, threadId, customerId, groupIds };
    if (closing?.outcome === 'appended') tx.emit({ type: 'event_sent', ...inChat, event: closing.event });
    const requester = await requesterIn(tx, chatId);
    const by = requester && { userId: requester.id, visibility: requester.visibility };
    tx.emit({ type: 'chat_deactivated', ...inChat, ...by });
    await closeHeld(tx, held, why.outcome);
    await applyPendingUpdate(tx, customerId);
  });
