import type { DomainEvent } from '#server/domain/events.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { getChat } from '#server/domain/support/chats/read/get-chat.ts';
import { listChangedThreads } from '#server/domain/support/chats/read/list-changed-threads.ts';
import type { ChatWithThread } from '#server/domain/support/chats/records.ts';
import type { Progress } from './progress.ts';

const inChat = (scope: OrganizationScope, { id, customerId, groupIds }: ChatWithThread, threadId: string) => ({
  organizationId: scope.organizationId,
  chatId: id,
  threadId,
  customerId,
  groupIds,
});

/** The events of a thread after the last delivered one, as they would have been published. */
export async function* readMissing(
  scope: OrganizationScope,
  progress: Progress,
  { chatId, threadId }: { chatId: string; threadId: string },
): AsyncGenerator<DomainEvent> {
  const chat = await getChat(scope, { chatId, threadId });
  const about = inChat(scope, chat, threadId);
  for (const event of chat.thread?.events ?? []) {
    if (event.number > progress.numberOf(threadId)) yield { type: 'event_sent', ...about, event };
  }
}

/** All events since then, as they would have been published; listeners skip those already delivered. */
export async function* readSince(
  scope: OrganizationScope,
  progress: Progress,
  since: Date,
): AsyncGenerator<DomainEvent> {
  for await (const chat of listChangedThreads(scope, { since })) {
    const { thread } = chat;
    const about = inChat(scope, chat, thread.id);
    if (thread.createdAt >= since && !progress.knows(thread.id)) yield { type: 'chat_started', ...about, chat };
    const isTracked = progress.knows(thread.id);
    for (const event of thread.events) {
      if (isTracked || event.createdAt >= since) yield { type: 'event_sent', ...about, event };
    }
    // The database does not record who closed the thread.
    if (thread.closedAt && thread.closedAt >= since) yield { type: 'chat_deactivated', ...about };
  }
}
