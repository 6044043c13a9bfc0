import { notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { findVisibleThread } from './find-visible-thread.ts';
import { loadArchivedChats } from './load-archived-chats.ts';
import type { ArchivedChat } from './records.ts';
import { resolveTimeZone } from './time-zone.ts';

/** One archived chat by its thread id. The thread may be active. */
export const getArchivedChat = async (
  scope: OrganizationScope,
  input: { threadId: string; timeZone?: string | undefined },
): Promise<{ chat: ArchivedChat; timeZone: string }> => {
  const { id } = await findVisibleThread(scope, input.threadId);
  const timeZone = await resolveTimeZone(scope, input.timeZone);
  const [chat] = await loadArchivedChats(scope, [id]);
  if (!chat) throw notFound('Chat');
  return { chat, timeZone };
};
