import { notFound } from '../errors.ts';
import type { OrganizationScope } from '../scope.ts';
import { getChatRow } from './find-chat.ts';
import { loadEvents } from './load-threads.ts';
import { loadUsers } from './load-users.ts';
import { toChat, toThread } from './read-rows.ts';
import type { ChatWithThread } from './records.ts';

/** One chat with one of its threads: the one asked for, else the latest. */
export const getChat = async (
  scope: OrganizationScope,
  { chatId, threadId }: { chatId: string; threadId?: string | undefined },
): Promise<ChatWithThread> => {
  const chat = await getChatRow(scope, chatId);
  const thread = await scope
    .from('threads')
    .where('chatId', '=', chat.id)
    .where('id', '=', threadId ?? chat.lastThreadId)
    .selectAll()
    .executeTakeFirst();
  if (!thread) throw notFound('Thread');
  const [users, threads] = await Promise.all([
    loadUsers(scope, [chat.id]),
    loadEvents(scope, [toThread(thread)], chat.customerId),
  ]);
  return { ...toChat(chat), users: users.get(chat.id)!, thread: threads[0]! };
};
