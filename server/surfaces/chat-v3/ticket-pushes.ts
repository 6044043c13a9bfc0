import type { PushRules } from './push-rule.ts';

/** Announces a change of a ticket; clients that show it read it again. */
export const ticketRules = {
  ticket_created: {
    to: ['agents'],
    needs: 'tickets_read',
    write: ({ ticket }) => ({ action: 'ticket_created', payload: { ticket_id: ticket.id, subject: ticket.subject } }),
  },
  ticket_changed: {
    to: ['agents'],
    needs: 'tickets_read',
    write: ({ ticketId }) => ({ action: 'ticket_changed', payload: { ticket_id: ticketId } }),
  },
} satisfies PushRules;
