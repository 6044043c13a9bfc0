import { unassign } from '../routing/reassign-chats.ts';
import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope } from '../scope.ts';
import { isOnline } from '../visits/presence.ts';
import { deactivateChat } from './deactivate-chat.ts';
import { getChatRow } from './find-chat.ts';

const MINUTE_MS = 60_000;

const patienceOf = ({ db, organizationId }: OrganizationScope) =>
  db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['idleCloseMinutes', 'unassignMinutes'])
    .executeTakeFirstOrThrow();

const isOver = (scope: OrganizationScope, since: Date, minutes: number): boolean =>
  since.getTime() + minutes * MINUTE_MS <= scope.now().getTime();

/** Closes a chat in which nobody wrote for too long. */
export const closeIdleChat = async (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> => {
  const { idleCloseMinutes: minutes } = await patienceOf(scope);
  await deactivateChat(scope, {
    chatId,
    because: {
      systemMessageType: 'routing.archived_inactive',
      text: `The chat was closed after ${minutes} minutes without a message`,
      textVars: { minutes: String(minutes) },
      outcome: 'closed',
      holds: ({ assigneeId, lastEventAt, lastThreadCreatedAt }) =>
        assigneeId !== null &&
        isOver(scope, lastThreadCreatedAt, minutes) &&
        (lastEventAt === null || isOver(scope, lastEventAt, minutes)),
    },
  });
};

/** Closes a chat that still waits although its customer is gone. */
export const closeAbandonedChat = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  deactivateChat(scope, {
    chatId,
    because: {
      systemMessageType: 'archived_customer_disconnected',
      text: 'The chat was closed because the customer left the queue',
      outcome: 'left',
      holds: async ({ assigneeId, customerId }) => assigneeId === null && !(await isOnline(scope, customerId)),
    },
  });

/** Gives a chat to another agent when its own leaves the customer waiting. */
export const passOnUnanswered = async (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> => {
  const { unassignMinutes: minutes } = await patienceOf(scope);
  if (minutes === null) return;
  await scope.transaction(async (tx) => {
    await takeTurn(tx);
    const chat = await getChatRow(tx, chatId);
    const last = await tx
      .from('events')
      .where('threadId', '=', chat.lastThreadId)
      .where('authorKind', '<>', 'system')
      .where('visibility', '=', 'all')
      .orderBy('number', 'desc')
      .select(['authorKind', 'createdAt'])
      .limit(1)
      .executeTakeFirst();
    if (chat.active && last?.authorKind === 'customer' && isOver(tx, last.createdAt, minutes))
      await unassign(tx, chat, 'inactive');
  });
};
