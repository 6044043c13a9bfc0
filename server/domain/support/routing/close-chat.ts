import type { OrganizationScope, Transaction } from '../../scope.ts';
import { planQueue } from './plan-queue.ts';
import { reroute } from './reroute.ts';
import { loadRoutingSnapshotForUpdate, type RoutingSnapshot } from './routing-snapshot.ts';
import { withReassigned } from './set-assignee.ts';

const CLOSE = `
with thread as (
  update threads t set active = false, closed_at = $3, session_fields = (
    select k.session_fields from chats c join customers k on k.organization_id = $1 and k.id = c.customer_id
    where c.organization_id = $1 and c.id = $2)
  where t.organization_id = $1 and t.chat_id = $2 and t.active
), gone as (
  update chat_users u set present = false where u.organization_id = $1 and u.chat_id = $2 and u.present
), ended as (
  update assignments a set ended_at = $3 where a.organization_id = $1 and a.chat_id = $2 and a.ended_at is null
), waited as (
  update queue_entries q set left_at = $3, outcome = $4 where q.organization_id = $1 and q.chat_id = $2 and q.left_at is null
)
update chats c set active = false, assignee_id = null where c.organization_id = $1 and c.id = $2`;

type Tx = Transaction<OrganizationScope>;

interface ClosingChat {
  id: string;
  assigneeId: string | null;
}

/**
 * Takes the organization lock, then locks the chat to close together with the queued chats that will be assigned to the
 * freed agent. All rows are locked in one statement in id order, so that this transaction and the append lane cannot
 * deadlock. `read` loads the chat under the lock.
 */
export const lockForClosing = async <Chat extends ClosingChat>(
  tx: Tx,
  read: () => Promise<Chat>,
): Promise<{ snapshot: RoutingSnapshot; chat: Chat }> => {
  const snapshot = await loadRoutingSnapshotForUpdate(tx);
  const chat = await read();
  const { assigned } = planQueue(withReassigned(snapshot, chat.id, chat.assigneeId), tx.now());
  const ids = [chat.id, ...assigned.map(({ chat: { chatId } }) => chatId)];
  await tx.from('chats').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().select('id').execute();
  return { snapshot, chat };
};

/** Closes the locked chat and assigns queued chats to the agent it frees. */
export const closeLockedChat = async (
  tx: Tx,
  { snapshot, chat }: { snapshot: RoutingSnapshot; chat: ClosingChat },
  outcome: 'left' | 'closed',
): Promise<void> => {
  const values = [tx.organizationId, chat.id, tx.now(), outcome];
  await tx.executor.query({ name: 'close_chat', text: CLOSE, values });
  await reroute(tx, snapshot, withReassigned(snapshot, chat.id, chat.assigneeId));
};
