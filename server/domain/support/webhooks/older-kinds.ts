import type { DomainEvent } from '../../events.ts';

/** What receivers of the older kind can be told of. */
export type OlderAction = 'chat_started' | 'chat_ended' | 'visitor_queued' | 'ticket_created';

export type DataType = 'chat' | 'pre_chat_survey' | 'visitor' | 'ticket';

/** What each of them can bring along. */
export const dataTypesOf: Record<OlderAction, readonly DataType[]> = {
  chat_started: ['chat', 'pre_chat_survey', 'visitor'],
  chat_ended: ['chat', 'pre_chat_survey', 'visitor'],
  visitor_queued: ['visitor'],
  ticket_created: ['ticket'],
};

/** A chat that begins may begin in the queue; one that was being answered may come back to it. */
export const olderActionsOf = (event: DomainEvent): OlderAction[] => {
  switch (event.type) {
    case 'chat_started':
      if (!event.chat.active) return [];
      return event.chat.thread?.queue ? ['chat_started', 'visitor_queued'] : ['chat_started'];
    case 'chat_transferred':
      return event.queue ? ['visitor_queued'] : [];
    case 'chat_deactivated':
      return ['chat_ended'];
    case 'ticket_created':
      return ['ticket_created'];
    default:
      return [];
  }
};
