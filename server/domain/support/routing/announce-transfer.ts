import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import type { Requester } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { getChat } from '../chats/read/get-chat.ts';
import type { QueuePosition, TransferTarget } from './records.ts';
import { postSystemMessages, transferredMessage } from './routing-messages.ts';
import type { AssignedAgent } from './write-assignments.ts';

type Tx = Transaction<OrganizationScope>;

interface Transfer {
  /** The groups after the transfer. */
  groupIds: number[];
  target: TransferTarget | undefined;
  from: string | null;
  agent: AssignedAgent | undefined;
  queue: QueuePosition | undefined;
  reason: string;
  /** The requester as a user of the chat before the transfer. */
  requester: Requester | undefined;
}

const nameOfGroups = async (tx: Tx, ids: number[]): Promise<string> => {
  const rows = await tx.from('groups').where('id', 'in', ids).orderBy('id').select('name').execute();
  return rows.map(({ name }) => name).join(', ');
};

const nameOfRequester = async (tx: Tx, requester: Requester | undefined): Promise<string | undefined> => {
  // Customers must not learn about users they cannot see.
  if (requester?.kind !== 'agent' || requester.visibility !== 'all') return undefined;
  return (await tx.from('agents').where('id', '=', requester.id).select('name').executeTakeFirst())?.name;
};

/**
 * Emits the transfer to everyone who could see the chat or can now; those who could not see it before get the whole
 * chat.
 */
export const announceTransfer = async (
  tx: Tx,
  chat: Selectable<ChatsTable>,
  { groupIds, target, from, agent, queue, reason, requester }: Transfer,
): Promise<void> => {
  const asSystem: OrganizationScope = { ...tx, actor: { kind: 'system' } };
  const { id: chatId, lastThreadId: threadId, customerId } = chat;
  const affectedGroupIds = [...new Set([...chat.groupIds, ...groupIds])];
  const about = { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds: affectedGroupIds };
  const by = requester ? { requester } : {};
  const agentIds = agent ? [agent.user.id] : [];
  const moved = groupIds.join() !== chat.groupIds.join();
  if (moved) tx.emit({ type: 'chat_access_updated', ...about, accessGroupIds: groupIds });
  tx.emit({
    ...{ type: 'chat_transferred', ...about, reason, ...by },
    to: { ...(target?.type === 'group' ? { groupIds } : {}), ...(agent ? { agentIds } : {}) },
    ...(queue ? { queue } : {}),
  });
  const seen = { visibility: 'all', reason: 'manual', ...by } as const;
  if (from !== null && from !== agent?.user.id)
    tx.emit({ type: 'user_removed', ...about, user: { kind: 'agent', id: from }, ...seen });
  if (agent && !agent.wasPresent && from !== agent.user.id)
    tx.emit({ type: 'user_added', ...about, user: agent.user, ...seen });
  const to = agent && target?.type !== 'group' ? agent.user.name : await nameOfGroups(tx, groupIds);
  await postSystemMessages(tx, [{ about, message: transferredMessage(to, await nameOfRequester(tx, requester)) }]);
  const arrived = await getChat(asSystem, { chatId });
  if (queue && arrived.thread) arrived.thread.queue = queue;
  const before = { groupIds: chat.groupIds, agentIds: from === null ? [] : [from] };
  tx.emit({ type: 'chat_arrived', ...about, groupIds, chat: arrived, from: before, ...by });
};
