import { DomainError, invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { isVisibleToCustomer } from '../participants/requester.ts';
import { getChatRow } from '../read/find-chat.ts';
import { type EventRef, getEventRow } from '../read/find-event.ts';
import type { Postback } from '../records.ts';
import { changeEvent } from './change-event.ts';

interface Button {
  postback_id?: unknown;
  user_ids?: unknown;
}

const buttonsOf = (element: unknown): Button[] => (element as { buttons?: Button[] | null } | null)?.buttons ?? [];

/** Each user once, ordered by the first click. */
const toggle = (userIds: unknown, userId: string, toggled: boolean): string[] => {
  const pressed = new Set(Array.isArray(userIds) ? (userIds as string[]) : []);
  if (toggled) pressed.add(userId);
  else pressed.delete(userId);
  return [...pressed];
};

const press = (elements: unknown[], userId: string, { id, toggled }: Postback): unknown[] =>
  elements.map((element) => {
    const buttons = buttonsOf(element);
    if (buttons.length === 0) return element;
    return {
      ...(element as object),
      buttons: buttons.map((button) =>
        button.postback_id === id ? { ...button, user_ids: toggle(button.user_ids, userId, toggled) } : button,
      ),
    };
  });

/** A user clicks a button of a rich message. The message stores who clicked, and users of an open thread get a push. */
export const sendPostback = async (
  scope: OrganizationScope,
  { postback, ...address }: EventRef & { postback: Postback },
): Promise<void> => {
  const { actor, organizationId } = scope;
  if (actor.kind !== 'customer' && actor.kind !== 'agent')
    throw new DomainError('forbidden', 'Only customers and agents can send postbacks');
  await scope.transaction(async (tx) => {
    const { id: chatId, customerId, groupIds, active, lastThreadId } = await getChatRow(tx, address.chatId, true);
    const { threadId, number, type, content, visibility } = await getEventRow(tx, address);
    // The customer sees who clicked.
    if (actor.kind === 'agent' && visibility === 'all' && !(await isVisibleToCustomer(tx, chatId, actor.id)))
      throw new DomainError('forbidden', 'You are not in this chat');
    if (type !== 'rich_message') throw invalid('eventId', 'must be the id of a rich message');
    const elements = content.elements as unknown[];
    if (!elements.flatMap(buttonsOf).some((button) => button.postback_id === postback.id))
      throw invalid('postback.id', 'must be the postback id of a button of this message');
    const eventKey = { chatId, threadId, number, type };
    await changeEvent(tx, eventKey, { content: { ...content, elements: press(elements, actor.id, postback) } });
    if (!active || threadId !== lastThreadId) return;
    const about = { organizationId, chatId, threadId, customerId, groupIds, visibility };
    const user = { kind: actor.kind, id: actor.id };
    tx.emit({ type: 'postback_sent', ...about, eventId: address.eventId, user, postback });
  });
};
