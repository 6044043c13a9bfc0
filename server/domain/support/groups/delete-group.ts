import { requireAdministrator } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { getChat } from '../chats/read/get-chat.ts';
import { withRerouting } from '../routing/reroute.ts';
import { assertMayChange, groupNotFound } from './manage-groups.ts';
import { activeGroups } from './online.ts';

type Tx = Transaction<OrganizationScope>;

interface MovedChat {
  chatId: string;
  threadId: string;
  customerId: string;
  assigneeId: string | null;
  before: number[];
  after: number[];
}

/**
 * Removes the group from active chats; chats without another group move to group 0. Rows are locked in id order, as
 * everywhere.
 */
const MOVE = `
with chat as materialized (
  select c.id, c.last_thread_id, c.customer_id, c.assignee_id, c.group_ids,
    coalesce(nullif(array_remove(c.group_ids, $2::int), '{}'), array[$3::int]) as left_ids
  from chats c where c.organization_id = $1 and c.active and $2 = any(c.group_ids)
  order by c.id
  for no key update
), moved as (
  update chats c set group_ids = l.left_ids from chat l where c.organization_id = $1 and c.id = l.id
), moved_threads as (
  update threads t set group_ids = l.left_ids from chat l where t.organization_id = $1 and t.id = l.last_thread_id
), moved_entries as (
  update queue_entries q set group_ids = l.left_ids from chat l
  where q.organization_id = $1 and q.chat_id = l.id and q.left_at is null
)
select l.id as "chatId", l.last_thread_id as "threadId", l.customer_id as "customerId", l.assignee_id as "assigneeId",
  l.group_ids as before, l.left_ids as after
from chat l`;

/** Agents who could not see such a chat before get the whole chat. */
const announceMovedChats = async (tx: Tx, moved: MovedChat[]): Promise<void> => {
  const { organizationId } = tx;
  const asSystem: OrganizationScope = { ...tx, actor: { kind: 'system' } };
  for (const { chatId, threadId, customerId, assigneeId, before, after } of moved) {
    const about = { organizationId, chatId, threadId, customerId };
    const affectedGroupIds = [...new Set([...before, ...after])];
    tx.emit({ type: 'chat_access_updated', ...about, groupIds: affectedGroupIds, accessGroupIds: after });
    const from = { groupIds: before, agentIds: assigneeId === null ? [] : [assigneeId] };
    tx.emit({ type: 'chat_arrived', ...about, groupIds: after, chat: await getChat(asSystem, { chatId }), from });
  }
};

/** Does the same for unsolved tickets. */
const MOVE_TICKETS = `
update tickets t set group_ids = coalesce(nullif(array_remove(t.group_ids, $2::int), '{}'), array[$3::int])
where t.organization_id = $1 and $2 = any(t.group_ids) and t.status in ('open', 'pending')
returning t.id, t.group_ids as "groupIds"`;

const moveTickets = async (tx: Tx, groupId: number): Promise<void> => {
  const { organizationId } = tx;
  const values = [organizationId, groupId, ALL_AGENTS];
  const text = MOVE_TICKETS;
  const { rows } = await tx.executor.query<{ id: string; groupIds: number[] }>({ name: 'move_tickets', text, values });
  for (const { id, groupIds } of rows) tx.emit({ type: 'ticket_changed', organizationId, groupIds, ticketId: id });
};

/** Deletes data that belongs only to this group. */
const deleteGroupData = async (tx: Tx, groupId: number): Promise<void> => {
  const deletedAt = tx.now();
  await tx.remove('agentGroups').where('groupId', '=', groupId).execute();
  await tx.remove('tags').where('groupId', '=', groupId).execute();
  for (const table of ['greetings', 'cannedResponses'] as const)
    await tx.update(table).where('groupId', '=', groupId).where('deletedAt', 'is', null).set({ deletedAt }).execute();
  await tx.update('groups').where('fallbackGroupId', '=', groupId).set({ fallbackGroupId: null }).execute();
  await tx.update('groups').where('id', '=', groupId).set({ deletedAt }).execute();
};

/** Deletes a group. Its queued chats may then be answered by any agent. Archives keep the group id. */
export const deleteGroup = async (scope: OrganizationScope, { id }: { id: number }): Promise<void> => {
  requireAdministrator(scope.actor);
  assertMayChange(id);
  await scope.transaction(async (tx) => {
    await lockOrganization(tx);
    if (!(await activeGroups(tx).where('id', '=', id).select('id').executeTakeFirst())) throw groupNotFound();
    await withRerouting(tx, async () => {
      const values = [tx.organizationId, id, ALL_AGENTS];
      const { rows } = await tx.executor.query<MovedChat>({ name: 'move_chats', text: MOVE, values });
      await deleteGroupData(tx, id);
      await moveTickets(tx, id);
      await announceMovedChats(tx, rows);
    });
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
