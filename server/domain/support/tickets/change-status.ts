import type { Updateable } from 'kysely';
import type { TicketsTable } from '#server/storage/tables/tickets.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import type { TicketEventDraft } from './append-event.ts';
import type { TicketAuthor, TicketStatus } from './records.ts';
import type { TicketRow } from './visible-tickets.ts';

/** The event and the changed columns. */
export interface TicketChange {
  event: Omit<TicketEventDraft, 'ticketId'>;
  columns: Updateable<TicketsTable>;
}

/** The time and agent of the last solution: the assignee, or else the agent who solved it. */
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

/** Notifies open clients. */
export const emitTicketChanged = (tx: Transaction<OrganizationScope>, row: TicketRow, groupIds = row.groupIds): void =>
  tx.emit({
    type: 'ticket_changed',
    organizationId: tx.organizationId,
    groupIds: [...new Set([...row.groupIds, ...groupIds])],
    ticketId: row.id,
  });
