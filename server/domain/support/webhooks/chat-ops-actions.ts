import type { DomainEvent } from '../../events.ts';

/** Actions of webhooks of the chat-ops API. */
export type ChatOpsAction = 'chat_started' | 'chat_ended' | 'visitor_queued' | 'ticket_created';

export type DataType = 'chat' | 'pre_chat_survey' | 'visitor' | 'ticket';

/** The data types that each action can include. */
export const dataTypesOf: Record<ChatOpsAction, readonly DataType[]> = {
  chat_started: ['chat', 'pre_chat_survey', 'visitor'],
  chat_ended: ['chat', 'pre_chat_survey', 'visitor'],
  visitor_queued: ['visitor'],
  ticket_created: ['ticket'],
};

/** A chat may start in the queue, and a transfer may return it to the queue. */
export const chatOpsActionsOf = (event: DomainEvent): ChatOpsAction[] => {
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
