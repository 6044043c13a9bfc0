import { notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { loadTickets } from './load-tickets.ts';
import type { TicketRecord } from './records.ts';
import { visibleTickets } from './visible-tickets.ts';

/** Returns a ticket, including one that is merged into another. */
export const getTicket = async (scope: OrganizationScope, { id }: { id: string }): Promise<TicketRecord> => {
  const rows = await visibleTickets(scope).where('tickets.id', '=', id).selectAll().execute();
  const [ticket] = await loadTickets(scope, rows);
  if (!ticket) throw notFound('Ticket');
  return ticket;
};
