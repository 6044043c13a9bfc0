import { sql } from 'kysely';
import { nextDay, startOfDay } from '../../time-zones.ts';
import { readQuery, toTsquery } from '../archives/words.ts';
import type { TicketSource, TicketStatus } from './records.ts';
import type { TicketQuery } from './visible-tickets.ts';

export interface TicketFilters {
  /** Days as `YYYY-MM-DD`, inclusive; any event of the ticket counts. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  assigned?: boolean | undefined;
  assignee?: string | undefined;
  status?: TicketStatus | undefined;
  text?: string | undefined;
  requesterMail?: string | undefined;
  groupId?: number | undefined;
  source?: TicketSource | undefined;
  tags?: string[] | undefined;
  tagged?: boolean | undefined;
}

/** A single event must lie within the range. */
const activeIn = (query: TicketQuery, { dateFrom, dateTo }: TicketFilters, timeZone: string): TicketQuery => {
  if (dateFrom === undefined && dateTo === undefined) return query;
  return query.where((eb) => {
    let events = eb
      .selectFrom('ticketEvents')
      .whereRef('ticketEvents.organizationId', '=', 'tickets.organizationId')
      .whereRef('ticketEvents.ticketId', '=', 'tickets.id');
    if (dateFrom !== undefined) events = events.where('ticketEvents.createdAt', '>=', startOfDay(timeZone, dateFrom));
    if (dateTo !== undefined)
      events = events.where('ticketEvents.createdAt', '<', startOfDay(timeZone, nextDay(dateTo)));
    return eb.exists(events.select('ticketEvents.id'));
  });
};

/**
 * All words must occur in the subject, the messages, or the requester's name or address. The caller has applied pending
 * changes of `ticket_search`.
 */
const withText = (query: TicketQuery, organizationId: string, text: string): TicketQuery => {
  const words = toTsquery(organizationId, readQuery(text));
  return query.where(
    words === undefined
      ? sql<boolean>`false`
      : sql<boolean>`tickets.id in (
          select s.ticket_id from ticket_search s
          where s.organization_id = ${organizationId} and s.words @@ ${words}::tsquery)`,
  );
};

export const filterTickets = (
  tickets: TicketQuery,
  filters: TicketFilters,
  { organizationId, timeZone }: { organizationId: string; timeZone: string },
): TicketQuery => {
  const { assigned, assignee, status, text, requesterMail, groupId, source, tags, tagged } = filters;
  let query = activeIn(tickets, filters, timeZone).where('tickets.mergedInto', 'is', null);
  if (assigned !== undefined) query = query.where('tickets.assigneeId', assigned ? 'is not' : 'is', null);
  if (assignee !== undefined) query = query.where('tickets.assigneeId', '=', assignee.toLowerCase());
  if (status !== undefined) query = query.where('tickets.status', '=', status);
  if (requesterMail !== undefined)
    query = query.where(sql<boolean>`lower(tickets.requester_mail) = lower(${requesterMail})`);
  if (groupId !== undefined) query = query.where(sql<boolean>`${groupId} = any (tickets.group_ids)`);
  if (source !== undefined) query = query.where('tickets.sourceType', '=', source);
  if (tags !== undefined) query = query.where(sql<boolean>`tickets.tags @> ${tags}::text[]`);
  if (tagged !== undefined) query = query.where(sql<boolean>`(tickets.tags <> '{}') = ${tagged}`);
  if (text !== undefined) query = withText(query, organizationId, text);
  return query;
};
