import type { OrganizationScope, Transaction } from '../../scope.ts';
import type { QueuedChat } from './routing-snapshot.ts';

/** Removes the assignee from chats and from their users. Rows are locked in id order, as everywhere. */
const RELEASE = `
with chat as materialized (
  select c.id, c.last_thread_id, c.customer_id, c.group_ids from chats c
  where c.organization_id = $1 and c.active and c.assignee_id = $2 and ($3::text[] is null or c.id = any($3))
  order by c.id
  for no key update
), unanswered as (
  update chats c set assignee_id = null from chat l where c.organization_id = $1 and c.id = l.id
), ended as (
  update assignments a set ended_at = $4::timestamptz from chat l
  where a.organization_id = $1 and a.chat_id = l.id and a.ended_at is null
), gone as (
  update chat_users u set present = false from chat l
  where u.organization_id = $1 and u.chat_id = l.id and u.kind = 'agent' and u.user_id = $2
)
select l.id as "chatId", l.last_thread_id as "threadId", l.customer_id as "customerId", l.group_ids as "groupIds", exists (
  select from thread_agents t
  join agents b on b.organization_id = t.organization_id and b.id = t.agent_id
  where t.organization_id = $1 and t.thread_id = l.last_thread_id and b.kind = 'bot') as "botAnswered"
from chat l`;

export type ReleasedChat = Omit<QueuedChat, 'queueEntryId' | 'priority' | 'enteredAt'>;

/** Requires the organization lock. Releases all open chats of the agent, or only those in `chatIds`. */
export const releaseChats = async (
  tx: Transaction<OrganizationScope>,
  agentId: string,
  chatIds?: string[],
): Promise<ReleasedChat[]> => {
  const values = [tx.organizationId, agentId, chatIds ?? null, tx.now()];
  return (await tx.executor.query<ReleasedChat>({ name: 'release_chats', text: RELEASE, values })).rows;
};
