import type { TicketEvent as WireEvent, Ticket as WireTicket } from '#contracts/agent/tickets.ts';
import type { TicketContent, TicketEvent, TicketRecord } from '#server/domain/support/tickets/records.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

const presentContent = (content: TicketContent): Partial<WireEvent> => {
  switch (content.type) {
    case 'message': {
      const { type: _, files, ...rest } = content;
      const shown = files?.map(({ name, url, contentType: content_type, size }) => ({ name, url, content_type, size }));
      return { ...rest, ...(shown ? { files: shown } : {}) };
    }
    case 'rating':
      return { rate: content.rate };
    default: {
      const { type: _, ...rest } = content;
      return rest;
    }
  }
};

const presentEvent = ({ author, createdAt, isPrivate, content }: TicketEvent): WireEvent => ({
  type: content.type,
  author,
  created_at: toTimestamp(createdAt),
  is_private: isPrivate,
  ...presentContent(content),
});

export const presentTicket = (ticket: TicketRecord): WireTicket => ({
  id: ticket.id,
  subject: ticket.subject,
  status: ticket.status,
  requester: ticket.requester,
  ...(ticket.assignee ? { assignee: ticket.assignee } : {}),
  group_ids: ticket.groupIds,
  tags: ticket.tags,
  source: ticket.source,
  ...(ticket.rating ? { rating: ticket.rating } : {}),
  ...(ticket.firstResponse
    ? { first_response: { agent_id: ticket.firstResponse.agentId, at: toTimestamp(ticket.firstResponse.at) } }
    : {}),
  ...(ticket.mergedInto ? { merged_into: ticket.mergedInto } : {}),
  created_at: toTimestamp(ticket.createdAt),
  modified_at: toTimestamp(ticket.modifiedAt),
  events: ticket.events.map(presentEvent),
});
