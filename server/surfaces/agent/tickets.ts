import * as contract from '#contracts/agent/tickets.ts';
import type { BodyOf } from '#contracts/operation.ts';
import type { Context } from '#server/context.ts';
import { invalid } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import * as change from '#server/domain/support/tickets/change-ticket.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { createTicketFromChat } from '#server/domain/support/tickets/from-chat.ts';
import { getTicket } from '#server/domain/support/tickets/get-ticket.ts';
import { type ListTicketsInput, listTickets } from '#server/domain/support/tickets/list-tickets.ts';
import {
  confirmMailAddress,
  getMailSettings,
  type MailSettings,
  setMailAddress,
} from '#server/domain/support/tickets/mail/mail-settings.ts';
import { mergeTickets, undoMerge } from '#server/domain/support/tickets/merge-tickets.ts';
import type { TicketRecord } from '#server/domain/support/tickets/records.ts';
import { addTicketNote, replyToTicket } from '#server/domain/support/tickets/reply-to-ticket.ts';
import { type Action, action, type Route, route } from '#server/http/route.ts';
import { presentTicket } from './present-ticket.ts';

const agentAction = action<OrganizationScope>();

const answer = (ticket: TicketRecord) => ({ ticket: presentTicket(ticket) });

const presentMail = ({ numberedAddress, ownAddress, claimedAddress }: MailSettings) => ({
  ...(numberedAddress ? { numbered_address: numberedAddress } : {}),
  ...(ownAddress ? { own_address: ownAddress } : {}),
  ...(claimedAddress ? { unconfirmed_address: claimedAddress } : {}),
});

const readList = ({ page, order, filters }: BodyOf<typeof contract.listTickets>): ListTicketsInput => ({
  page: page ?? undefined,
  order: order ?? undefined,
  dateFrom: filters?.date_from ?? undefined,
  dateTo: filters?.date_to ?? undefined,
  status: filters?.status ?? undefined,
  assigned: filters?.assigned ?? undefined,
  assignee: filters?.assignee_id ?? undefined,
  groupId: filters?.group_id ?? undefined,
  source: filters?.source ?? undefined,
  requesterMail: filters?.requester_mail ?? undefined,
  tags: filters?.tags ?? undefined,
  tagged: filters?.tagged ?? undefined,
  text: filters?.query ?? undefined,
});

const openByHand = (scope: OrganizationScope, body: BodyOf<typeof contract.createTicket>): Promise<TicketRecord> => {
  const { requester, message } = body;
  if (!requester?.mail) throw invalid('requester.mail', 'is required');
  if (!message) throw invalid('message', 'is required');
  return createTicket(scope, {
    requester: { mail: requester.mail, name: requester.name ?? undefined },
    message,
    subject: body.subject ?? undefined,
    assignee: body.assignee_id ?? undefined,
    groupIds: body.group_ids ?? undefined,
    source: { type: 'agent-app-manual' },
  });
};

const openFromChat = (scope: OrganizationScope, body: BodyOf<typeof contract.createTicket>, threadId: string) =>
  createTicketFromChat(scope, {
    threadId,
    subject: body.subject ?? undefined,
    message: body.message ?? undefined,
    requester: { mail: body.requester?.mail ?? undefined, name: body.requester?.name ?? undefined },
    assignee: body.assignee_id ?? undefined,
  });

/** One transaction. */
const update = (scope: OrganizationScope, body: BodyOf<typeof contract.updateTicket>): Promise<TicketRecord> =>
  scope.transaction(async (tx) => {
    const { ticket_id: ticketId, status, subject, group_ids: groupIds, tags } = body;
    const before = await getTicket(tx, { id: ticketId });
    const steps = [
      subject ? () => change.setTicketSubject(tx, { ticketId, subject }) : undefined,
      tags ? () => change.setTicketTags(tx, { ticketId, tags }) : undefined,
      status ? () => change.setTicketStatus(tx, { ticketId, status }) : undefined,
      // Last, because the agent may lose access to the ticket with it.
      groupIds ? () => change.setTicketGroups(tx, { ticketId, groupIds }) : undefined,
    ];
    let after = before;
    for (const step of steps) if (step) after = await step();
    return after;
  });

export const ticketActions: Action<OrganizationScope>[] = [
  agentAction(contract.listTickets, async ({ body, scope }) => {
    const { items, total, pages } = await listTickets(scope, readList(body));
    return { tickets: items.map(presentTicket), total, pages };
  }),
  agentAction(contract.getTicket, async ({ body, scope }) => answer(await getTicket(scope, { id: body.ticket_id }))),
  agentAction(contract.createTicket, async ({ body, scope }) =>
    answer(await (body.thread_id ? openFromChat(scope, body, body.thread_id) : openByHand(scope, body))),
  ),
  agentAction(contract.replyToTicket, async ({ body, scope }) => {
    const { ticket_id: ticketId, message, files, status } = body;
    return answer(
      await replyToTicket(scope, { ticketId, message, files: files ?? undefined, status: status ?? undefined }),
    );
  }),
  agentAction(contract.addTicketNote, async ({ body, scope }) => {
    const { ticket_id: ticketId, message, files } = body;
    return answer(await addTicketNote(scope, { ticketId, message, files: files ?? undefined }));
  }),
  agentAction(contract.assignTicket, async ({ body, scope }) =>
    answer(await change.assignTicket(scope, { ticketId: body.ticket_id, assignee: body.assignee_id })),
  ),
  agentAction(contract.updateTicket, async ({ body, scope }) => answer(await update(scope, body))),
  agentAction(contract.mergeTickets, async ({ body, scope }) =>
    answer(await mergeTickets(scope, { ticketId: body.ticket_id, into: body.into_ticket_id })),
  ),
  agentAction(contract.undoTicketMerge, async ({ body, scope }) =>
    answer(await undoMerge(scope, { ticketId: body.ticket_id })),
  ),
  agentAction(contract.getTicketMail, async ({ scope }) => presentMail(await getMailSettings(scope))),
  agentAction(contract.setTicketMail, async ({ body, scope }) =>
    presentMail(await setMailAddress(scope, { address: body.own_address })),
  ),
];

/** Guessing codes is limited, which needs the client address of an HTTP request. */
export const ticketRoutes = ({ signInLimits }: Context): Route<OrganizationScope>[] => [
  route<OrganizationScope>()(contract.confirmTicketMail, async ({ body, scope, request }) => {
    const { organizationId } = scope;
    await signInLimits.codes(request, { organizationId, login: 'support address' });
    return presentMail(await confirmMailAddress(scope, body));
  }),
];
