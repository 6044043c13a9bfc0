import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getChatRow } from '../chats/read/find-chat.ts';
import { tellAnswered } from './reroute.ts';
import { assignTo, toWaiting } from './set-assignee.ts';

/** Whoever writes to a customer who waits answers the chat. Somebody else may have been quicker. */
export const takeOver = (scope: OrganizationScope, chatId: string, agentId: string): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const chat = await getChatRow(tx, chatId);
    if (!chat.active || chat.assigneeId !== null) return;
    const answering = await assignTo(tx, chat, agentId, 'taken_over');
    await tellAnswered(tx, [{ chat: toWaiting(tx, chat), answering }]);
  });
