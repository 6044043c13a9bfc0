import type { Push } from '#contracts/chat/frames.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import type { ChatPresenter } from './chat-present.ts';

/** Whatever happened inside a chat; nothing else is pushed by these. */
export type ChatHappening = Extract<DomainEvent, { chatId: string }>;

export const isChatHappening = (event: DomainEvent): event is ChatHappening => 'chatId' in event;

/** What happened, as the reader's dialect says it. Whether the reader may know it is decided before. */
export const presentPush = (present: ChatPresenter, event: ChatHappening): Push => {
  const inChat = { chat_id: event.chatId, thread_id: event.threadId };
  switch (event.type) {
    case 'event_sent':
      return { action: 'incoming_event', payload: { ...inChat, event: present.event(event.event) } };
    case 'chat_started':
      return { action: 'incoming_chat', payload: { requester_id: event.customerId, chat: present.chat(event.chat) } };
    case 'chat_deactivated': {
      const { userId, customerId } = event;
      const kind = userId === customerId ? 'customer' : 'agent';
      return {
        action: 'chat_deactivated',
        payload: { ...inChat, ...(userId === undefined ? {} : { user_id: present.userId(kind, userId) }) },
      };
    }
  }
};
