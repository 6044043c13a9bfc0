import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getChatRow } from '../chats/read/find-chat.ts';
import { announceAssignments } from './reroute.ts';
import { setAssignee, toQueuedChat } from './set-assignee.ts';

/** Assigns a queued chat to the agent who wrote in it, unless another agent was quicker. */
export const takeOverChat = (scope: OrganizationScope, chatId: string, agentId: string): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const chat = await getChatRow(tx, chatId);
    if (!chat.active || chat.assigneeId !== null) return;
    const agent = await setAssignee(tx, chat, agentId, 'taken_over');
    await announceAssignments(tx, [{ chat: toQueuedChat(tx, chat), agent }]);
  });
