import type { OrganizationScope, Transaction } from '../../scope.ts';
import { type Floor, openFloor } from './floor.ts';
import { planQueue } from './plan-queue.ts';
import { reroute } from './reroute.ts';
import { withHandedOver } from './set-assignee.ts';

const CLOSE = `
with thread as (
  update threads t set active = false, closed_at = $3 where t.organization_id = $1 and t.chat_id = $2 and t.active
), gone as (
  update chat_users u set present = false where u.organization_id = $1 and u.chat_id = $2 and u.present
), ended as (
  update assignments a set ended_at = $3 where a.organization_id = $1 and a.chat_id = $2 and a.ended_at is null
), waited as (
  update queue_stays q set left_at = $3, outcome = $4 where q.organization_id = $1 and q.chat_id = $2 and q.left_at is null
)
update chats c set active = false, assignee_id = null where c.organization_id = $1 and c.id = $2`;

type Tx = Transaction<OrganizationScope>;

interface ClosingChat {
  id: string;
  assigneeId: string | null;
}

/**
 * Takes the turn and locks a chat that will be closed together with those that will be given out then: all at once and in
 * id order, so that the append lane and we never wait for each other. `read` finds the chat as it is under the turn.
 */
export const holdForClosing = async <Chat extends ClosingChat>(
  tx: Tx,
  read: () => Promise<Chat>,
): Promise<{ floor: Floor; chat: Chat }> => {
  const floor = await openFloor(tx);
  const chat = await read();
  const { placed } = planQueue(withHandedOver(floor, chat.id, chat.assigneeId), tx.now());
  const ids = [chat.id, ...placed.map(({ chat: { chatId } }) => chatId)];
  await tx.from('chats').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().select('id').execute();
  return { floor, chat };
};

/** Closes the held chat and gives what waited for its agent to whoever has room now. */
export const closeHeld = async (
  tx: Tx,
  { floor, chat }: { floor: Floor; chat: ClosingChat },
  outcome: 'left' | 'closed',
): Promise<void> => {
  const values = [tx.organizationId, chat.id, tx.now(), outcome];
  await tx.executor.query({ name: 'close_chat', text: CLOSE, values });
  await reroute(tx, floor, withHandedOver(floor, chat.id, chat.assigneeId));
};
