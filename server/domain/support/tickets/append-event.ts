import type { Updateable } from 'kysely';
import type { TicketsTable } from '#server/storage/tables/tickets.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import type { TicketAuthor, TicketContent } from './records.ts';

export interface TicketEventDraft {
  ticketId: string;
  author: TicketAuthor;
  content: TicketContent;
  isPrivate?: boolean;
  /** The event belongs to a ticket that is merged into this one, and moves back when that is undone. */
  formerTicketIds?: string[];
}

export const SYSTEM: TicketAuthor = { type: 'system', id: '', name: '' };

/** PostgreSQL cannot store NUL characters or lone surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const write = (draft: TicketEventDraft, at: Date) => {
  const { type, ...content } = draft.content;
  return {
    ticketId: draft.ticketId,
    type,
    authorType: draft.author.type,
    authorId: draft.author.id,
    authorName: draft.author.name,
    isPrivate: draft.isPrivate ?? false,
    content: JSON.stringify(content),
    ...(draft.formerTicketIds ? { formerTicketIds: draft.formerTicketIds } : {}),
    createdAt: at,
  };
};

/** Writes an event and the new state of a ticket whose row is locked. */
export const appendTicketEvents = async (
  tx: Transaction<OrganizationScope>,
  ticketId: string,
  drafts: Omit<TicketEventDraft, 'ticketId'>[],
  changes: Updateable<TicketsTable> = {},
): Promise<void> => {
  const at = tx.now();
  for (const draft of drafts) await tx.insert('ticketEvents', write({ ...draft, ticketId }, at)).execute();
  await tx
    .update('tickets')
    .where('id', '=', ticketId)
    .set({ ...changes, modifiedAt: at })
    .execute();
};
