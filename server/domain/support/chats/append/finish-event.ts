import { eventId } from '../../../ids.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { takeOverChat } from '../../routing/take-over-chat.ts';
import { createTicketFromForm } from '../../tickets/from-form.ts';
import { getChatRow } from '../read/find-chat.ts';

export interface UnfinishedEvent {
  threadId: string;
  number: number;
}

/**
 * Carries out what follows from an event: an agent who answers a waiting customer takes over the chat, and a filled-in offline form
 * becomes a ticket. The row in `event_follow_ups` is written by the statement that appends the event and removed in this
 * transaction, so the follow-up happens once, also when the process dies in between.
 */
export const finishEvent = (scope: OrganizationScope, { threadId, number }: UnfinishedEvent): Promise<void> =>
  scope.transaction(async (tx) => {
    const removed = await tx
      .remove('eventFollowUps')
      .where('threadId', '=', threadId)
      .where('number', '=', number)
      .returning('number')
      .executeTakeFirst();
    if (!removed) return;
    const event = await tx
      .from('events')
      .where('threadId', '=', threadId)
      .where('number', '=', number)
      .select(['chatId', 'authorKind', 'authorId', 'content'])
      .executeTakeFirst();
    if (!event) return;
    const { chatId, authorKind, authorId } = event;
    if (authorKind === 'agent') return takeOverChat(tx, chatId, authorId!);
    const { groupIds } = await getChatRow(tx, chatId);
    const fields = event.content.fields as unknown[];
    await createTicketFromForm(tx, { eventId: eventId(threadId, number), customerId: authorId!, groupIds, fields });
  });
