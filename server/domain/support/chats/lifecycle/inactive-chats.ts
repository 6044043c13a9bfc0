import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { reassignUnansweredChat } from '../../routing/reassign-chats.ts';
import { findLastVisit } from '../../visits/current-visit.ts';
import { getChatRow } from '../read/find-chat.ts';
import { deactivateChat } from './deactivate-chat.ts';

const MINUTE_MS = 60_000;

type ChatRow = Selectable<ChatsTable>;

const loadTimeouts = ({ db, organizationId }: OrganizationScope) =>
  db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['idleCloseMinutes', 'unassignMinutes', 'abandonMinutes'])
    .executeTakeFirstOrThrow();

/** Whether all of these times are at least this many minutes ago; false without minutes. */
const hasElapsed = (scope: OrganizationScope, minutes: number | null, ...times: (Date | null | undefined)[]): boolean =>
  !!minutes && times.every((time) => time == null || time.getTime() + minutes * MINUTE_MS <= scope.now().getTime());

/** Closes a chat without messages for too long. */
export const closeIdleChat = async (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> => {
  const { idleCloseMinutes: minutes } = await loadTimeouts(scope);
  await deactivateChat(scope, {
    chatId,
    reason: {
      systemMessageType: 'routing.archived_inactive',
      text: `The chat was closed after ${minutes} minutes without a message`,
      textVars: { minutes: String(minutes) },
      outcome: 'closed',
      stillApplies: (tx, { assigneeId, lastEventAt, lastThreadCreatedAt }) =>
        assigneeId !== null && hasElapsed(tx, minutes, lastThreadCreatedAt, lastEventAt),
    },
  });
};

/** The presence of customers who never had a socket is unknown. */
const isAbandoned = async (tx: OrganizationScope, chat: ChatRow): Promise<boolean> => {
  if (chat.assigneeId !== null || chat.continuous) return false;
  const { abandonMinutes } = await loadTimeouts(tx);
  const visit = await findLastVisit(tx, chat.customerId);
  const entry = await tx
    .from('queueEntries')
    .where('chatId', '=', chat.id)
    .where('leftAt', 'is', null)
    .select('enteredAt')
    .executeTakeFirst();
  if (!visit?.onlineUntil) return false;
  return hasElapsed(tx, abandonMinutes, entry?.enteredAt, visit.lastSeenAt, visit.onlineUntil, chat.lastEventAt);
};

/** Closes a queued chat whose customer has left. */
export const closeAbandonedChat = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  deactivateChat(scope, {
    chatId,
    reason: {
      systemMessageType: 'archived_customer_disconnected',
      text: 'The chat was closed because the customer left the queue',
      outcome: 'left',
      stillApplies: isAbandoned,
    },
  });

/** Whether the customer's last message has been unanswered for too long. */
const isUnanswered = async (tx: OrganizationScope, { id, lastThreadId }: ChatRow): Promise<boolean> => {
  const { unassignMinutes } = await loadTimeouts(tx);
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
  return last?.authorKind === 'customer' && hasElapsed(tx, unassignMinutes, last.createdAt, assignment?.assignedAt);
};

/** Reassigns a chat whose agent does not answer the customer. */
export const reassignIfUnanswered = (scope: OrganizationScope, { chatId }: { chatId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const chat = await getChatRow(tx, chatId);
    if (chat.active && (await isUnanswered(tx, chat))) await reassignUnansweredChat(tx, chat, 'inactive');
  });
