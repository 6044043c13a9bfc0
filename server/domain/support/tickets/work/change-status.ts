import type { Updateable } from 'kysely';
import type { TicketsTable } from '#server/storage/tables/tickets.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import type { TicketAuthor, TicketStatus } from '../records.ts';
import type { TicketEventDraft } from './append-event.ts';
import type { TicketRow } from './visible-tickets.ts';

/** What happened, and what the row says since then. */
export interface TicketChange {
  event: Omit<TicketEventDraft, 'ticketId'>;
  columns: Updateable<TicketsTable>;
}

/** A ticket was solved when it last became so; whoever is assigned, or else did it, solved it. */
export const changeOf = (
  tx: OrganizationScope,
  row: TicketRow,
  to: TicketStatus,
  author: TicketAuthor,
): TicketChange => ({
  event: { author, content: { type: 'status_changed', from: row.status, to } },
  columns: {
    status: to,
    solvedAt: to === 'solved' ? tx.now() : null,
    solvedBy: to === 'solved' ? (row.assigneeId ?? (author.type === 'agent' ? author.id : null)) : null,
  },
});

/** For whoever has it on the screen. */
export const tellChanged = (tx: Transaction<OrganizationScope>, row: TicketRow, groupIds = row.groupIds): void =>
  tx.emit({
    type: 'ticket_changed',
    organizationId: tx.organizationId,
    groupIds: [...new Set([...row.groupIds, ...groupIds])],
    ticketId: row.id,
  });
