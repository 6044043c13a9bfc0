import { sql } from 'kysely';
import { requireAgent, visibleGroups } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';

/** The tickets that the actor may work on: agents those of their groups and their own; the system all. */
export const visibleTickets = (scope: OrganizationScope) => {
  const tickets = scope.from('tickets');
  if (scope.actor.kind === 'system') return tickets;
  const agent = requireAgent(scope.actor);
  const groups = visibleGroups(agent);
  return groups
    ? tickets.where((eb) =>
        eb.or([sql<boolean>`tickets.group_ids && ${groups}::int[]`, eb('tickets.assigneeId', '=', agent.id)]),
      )
    : tickets;
};

export type TicketQuery = ReturnType<typeof visibleTickets>;

/** Returns the ticket with its row locked. */
export const lockTicket = async (tx: Transaction<OrganizationScope>, id: string) => {
  const row = await visibleTickets(tx).where('tickets.id', '=', id).selectAll().forUpdate().executeTakeFirst();
  if (!row) throw notFound('Ticket');
  return row;
};

export type TicketRow = Awaited<ReturnType<typeof lockTicket>>;
