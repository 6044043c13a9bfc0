import * as contract from '#contracts/chat-ops/tickets.ts';
import type { QueryOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { setTicketTags } from '#server/domain/support/tickets/change-ticket.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { getTicket } from '#server/domain/support/tickets/get-ticket.ts';
import { type ListTicketsInput, listTickets } from '#server/domain/support/tickets/list-tickets.ts';
import { type Route, route } from '#server/http/route.ts';
import { dropEmpty, readFlag } from './present.ts';
import { presentTicket } from './present-ticket.ts';

const agentRoute = route<OrganizationScope>();

const readFilters = (query: QueryOf<typeof contract.listTickets>): ListTicketsInput => ({
  dateFrom: query.date_from,
  dateTo: query.date_to,
  page: query.page,
  order: query.order,
  assigned: readFlag(query.assigned),
  assignee: query.assignee,
  status: query.status,
  text: query.query,
  requesterMail: query.requester?.mail,
  groupId: query.group,
  source: query.source,
  tags: query.tag,
  tagged: readFlag(query.tagged),
});

export const ticketRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listTickets, async ({ query, scope }) => {
    const { items, total, pages } = await listTickets(scope, readFilters(query));
    return { pages, total, tickets: items.map(presentTicket) };
  }),
  agentRoute(contract.getTicket, async ({ params, scope }) =>
    presentTicket(await getTicket(scope, { id: params.ticket_id })),
  ),
  agentRoute(contract.createTicket, async ({ body, scope }) => {
    const { type = 'lc2', url } = body.source ?? {};
    const ticket = await createTicket(scope, {
      requester: body.requester,
      message: body.message,
      subject: body.subject,
      assignee: body.assignee?.id,
      groupIds: body.group,
      source: { type, url },
    });
    return presentTicket(ticket);
  }),
  agentRoute(contract.setTicketTags, async ({ params, body, scope }) => {
    const ticket = await setTicketTags(scope, { ticketId: params.ticket_id, tags: dropEmpty(body.tag) });
    return { pages: 1, total: 1, tickets: [presentTicket(ticket)] };
  }),
];
