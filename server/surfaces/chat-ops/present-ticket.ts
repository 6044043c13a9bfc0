import type { TicketEvent as WireEvent, Ticket as WireTicket } from '#contracts/chat-ops/tickets.ts';
import type { TicketContent, TicketEvent, TicketFile, TicketRecord } from '#server/domain/support/tickets/records.ts';
import { toUnixSeconds } from './present.ts';

const presentFiles = (files: TicketFile[]) =>
  files.map(({ name, url, contentType: content_type, size }) => ({ name, url, content_type, size }));

const presentContent = (content: TicketContent, isPrivate: boolean): Partial<WireEvent> => {
  switch (content.type) {
    case 'message':
      return {
        is_private: isPrivate,
        message: content.message,
        ...(content.html ? { html: content.html } : {}),
        source: { type: content.source },
        ...(content.files ? { attachments: presentFiles(content.files) } : {}),
        ...(content.dropped ? { dropped: content.dropped } : {}),
        ...(content.automatic ? { automatic: true } : {}),
      };
    case 'assignee_changed':
      return { to: content.to };
    case 'rating':
      return { rate: content.rate };
    case 'merged':
      return {
        direction: content.direction,
        ticket: content.ticket,
        ...(content.undone ? { undone: content.undone } : {}),
      };
    default:
      return { from: content.from, to: content.to };
  }
};

const presentEvent = ({ author, createdAt, isPrivate, content }: TicketEvent): WireEvent => ({
  type: content.type,
  author,
  date: toUnixSeconds(createdAt),
  ...presentContent(content, isPrivate),
});

const presentResponse = ({ firstResponse, createdAt }: TicketRecord): WireTicket['firstResponse'] =>
  firstResponse
    ? {
        date: toUnixSeconds(firstResponse.at),
        agent: firstResponse.agentId,
        seconds: Math.max(0, Math.floor((firstResponse.at.getTime() - createdAt.getTime()) / 1000)),
      }
    : {};

export const presentTicket = (ticket: TicketRecord): WireTicket => ({
  id: ticket.id,
  subject: ticket.subject,
  status: ticket.status,
  requester: ticket.requester,
  ...(ticket.assignee ? { assignee: ticket.assignee } : {}),
  groups: ticket.groupIds,
  source: ticket.source,
  date: toUnixSeconds(ticket.createdAt),
  modified: toUnixSeconds(ticket.modifiedAt),
  opened: ticket.openedAt.map((at) => ({ from: toUnixSeconds(at) })),
  firstResponse: presentResponse(ticket),
  rate: ticket.rating ? `rated_${ticket.rating}` : 'not_rated',
  tags: ticket.tags,
  events: ticket.events.map(presentEvent),
});
