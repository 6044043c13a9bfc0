import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import type { Requester } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { getChat } from '../chats/read/get-chat.ts';
import type { QueuePlace, TransferTarget } from './records.ts';
import { saidTransferred, say } from './say-routing.ts';
import type { Answering } from './write-placements.ts';

type Tx = Transaction<OrganizationScope>;

interface Transfer {
  /** The groups from now on. */
  groupIds: number[];
  target: TransferTarget | undefined;
  from: string | null;
  answering: Answering | undefined;
  queue: QueuePlace | undefined;
  reason: string;
  /** As it was in the chat before. */
  requester: Requester | undefined;
}

const nameOfGroups = async (tx: Tx, ids: number[]): Promise<string> => {
  const rows = await tx.from('groups').where('id', 'in', ids).orderBy('id').select('name').execute();
  return rows.map(({ name }) => name).join(', ');
};

const nameOfRequester = async (tx: Tx, requester: Requester | undefined): Promise<string | undefined> => {
  // Whom the customer does not see, it hears nothing of.
  if (requester?.kind !== 'agent' || requester.visibility !== 'all') return undefined;
  return (await tx.from('agents').where('id', '=', requester.id).select('name').executeTakeFirst())?.name;
};

/** Those who lose the chat and those who get it learn of it; whoever could not see it before gets all of it. */
export const tellTransfer = async (
  tx: Tx,
  chat: Selectable<ChatsTable>,
  { groupIds, target, from, answering, queue, reason, requester }: Transfer,
): Promise<void> => {
  const asSystem: OrganizationScope = { ...tx, actor: { kind: 'system' } };
  const { id: chatId, lastThreadId: threadId, customerId } = chat;
  const concerned = [...new Set([...chat.groupIds, ...groupIds])];
  const about = { organizationId: tx.organizationId, chatId, threadId, customerId, groupIds: concerned };
  const by = requester ? { requester } : {};
  const agentIds = answering ? [answering.user.id] : [];
  const moved = groupIds.join() !== chat.groupIds.join();
  if (moved) tx.emit({ type: 'chat_access_updated', ...about, accessGroupIds: groupIds });
  tx.emit({
    ...{ type: 'chat_transferred', ...about, reason, ...by },
    to: { ...(target?.type === 'group' ? { groupIds } : {}), ...(answering ? { agentIds } : {}) },
    ...(queue ? { queue } : {}),
  });
  const seen = { visibility: 'all', reason: 'manual', ...by } as const;
  if (from !== null && from !== answering?.user.id)
    tx.emit({ type: 'user_removed', ...about, user: { kind: 'agent', id: from }, ...seen });
  if (answering && !answering.wasThere && from !== answering.user.id)
    tx.emit({ type: 'user_added', ...about, user: answering.user, ...seen });
  const to = answering && target?.type !== 'group' ? answering.user.name : await nameOfGroups(tx, groupIds);
  await say(tx, [{ about, said: saidTransferred(to, await nameOfRequester(tx, requester)) }]);
  const arrived = await getChat(asSystem, { chatId });
  if (queue && arrived.thread) arrived.thread.queue = queue;
  const before = { groupIds: chat.groupIds, agentIds: from === null ? [] : [from] };
  tx.emit({ type: 'chat_arrived', ...about, groupIds, chat: arrived, from: before, ...by });
};
