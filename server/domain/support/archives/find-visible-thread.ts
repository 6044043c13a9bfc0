import { requireAgent, visibleGroups } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

/** Finds a thread, active or ended, that the agent may see. Threads the agent may not see are reported as not found. */
export const findVisibleThread = async (scope: OrganizationScope, threadId: string) => {
  const groups = visibleGroups(requireAgent(scope.actor));
  const thread = await scope
    .from('threads')
    .innerJoin('chats', (join) =>
      join.onRef('chats.organizationId', '=', 'threads.organizationId').onRef('chats.id', '=', 'threads.chatId'),
    )
    .where('threads.id', '=', threadId)
    .where('chats.anonymized', '=', false)
    .select(['threads.id', 'threads.chatId', 'threads.groupIds', 'threads.tags', 'chats.customerId'])
    .executeTakeFirst();
  if (!thread || (groups && !thread.groupIds.some((id) => groups.includes(id)))) throw notFound('Chat');
  return thread;
};
