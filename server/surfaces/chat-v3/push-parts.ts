import type { Requester } from '#server/domain/events.ts';
import type { ChatPresenter } from './chat-present.ts';

/** Whom the reader cannot see is not named. */
export const requestedBy = (requester: Requester | undefined, present: ChatPresenter) =>
  requester && present.shows(requester) ? { requester_id: present.userId(requester.kind, requester.id) } : {};

export const inChat = ({ chatId, threadId }: { chatId: string; threadId: string }) => ({
  chat_id: chatId,
  thread_id: threadId,
});
