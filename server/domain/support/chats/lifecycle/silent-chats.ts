import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { unassign } from '../../routing/reassign-chats.ts';
import { findLastVisit } from '../../visits/current-visit.ts';
import { getChatRow } from '../read/find-chat.ts';
import { deactivateChat } from './deactivate-chat.ts';

const MINUTE_MS = 60_000;

type ChatRow = Selectable<ChatsTable>;

const patienceOf = ({ db, organizationId }: OrganizationScope) =>
  db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['idleCloseMinutes', 'unassignMinutes', 'abandonMinutes'])
    .executeTakeFirstOrThrow();

/** Whether the last of these was so long ago; never, without any minutes. */
const isOver = (scope: OrganizationScope, minutes: number | null, ...signs: (Date | null | undefined)[]): boolean =>
  !!minutes && signs.every((sign) => sign == null || sign.getTime() + minutes * MINUTE_MS <= scope.now().getTime());

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
      holds: (tx, { assigneeId, lastEventAt, lastThreadCreatedAt }) =>
        assigneeId !== null && isOver(tx, minutes, lastThreadCreatedAt, lastEventAt),
    },
  });
};

/** Of whoever never had a socket nothing is known. */
const isAbandoned = async (tx: OrganizationScope, chat: ChatRow): Promise<boolean> => {
  if (chat.assigneeId !== null || chat.continuous) return false;
  const { abandonMinutes } = await patienceOf(tx);
  const visit = await findLastVisit(tx, chat.customerId);
  const stay = await tx
    .from('queueStays')
    .where('chatId', '=', chat.id)
    .where('leftAt', 'is', null)
    .select('enteredAt')
    .executeTakeFirst();
  if (!visit?.onlineUntil) return false;
  return isOver(tx, abandonMinutes, stay?.enteredAt, visit.lastSeenAt, visit.onlineUntil, chat.lastEventAt);
};

/** Closes a chat that still waits although its customer is gone. */
export const closeAbandonedChat = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  deactivateChat(scope, {
    chatId,
    because: {
      systemMessageType: 'archived_customer_disconnected',
      text: 'The chat was closed because the customer left the queue',
      outcome: 'left',
      holds: isAbandoned,
    },
  });

/** Whether its agent has left the customer's last words without an answer for so long. */
const isUnanswered = async (tx: OrganizationScope, { id, lastThreadId }: ChatRow): Promise<boolean> => {
  const { unassignMinutes } = await patienceOf(tx);
  const last = await tx
    .from('events')
    .where('threadId', '=', lastThreadId)
    .where('authorKind', '<>', 'system')
    .where('visibility', '=', 'all')
    .orderBy('number', 'desc')
    .select(['authorKind', 'createdAt'])
    .limit(1)
    .executeTakeFirst();
  const assignment = await tx
    .from('assignments')
    .where('chatId', '=', id)
    .where('endedAt', 'is', null)
    .orderBy('assignedAt', 'desc')
    .select('assignedAt')
    .limit(1)
    .executeTakeFirst();
  return last?.authorKind === 'customer' && isOver(tx, unassignMinutes, last.createdAt, assignment?.assignedAt);
};

/** Gives a chat to another agent when its own leaves the customer waiting. */
export const passOnUnanswered = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const chat = await getChatRow(tx, chatId);
    if (chat.active && (await isUnanswered(tx, chat))) await unassign(tx, chat, 'inactive');
  });
