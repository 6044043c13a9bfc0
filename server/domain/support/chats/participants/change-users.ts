import type { Visibility } from '#server/storage/tables/chats.ts';
import { DomainError, invalid, notFound } from '../../../errors.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { reassignChats, reassignUnansweredChat } from '../../routing/reassign-chats.ts';
import { announceAssignments, toChatRef } from '../../routing/reroute.ts';
import { joinedMessage, postSystemMessages, type SystemMessage } from '../../routing/routing-messages.ts';
import { setAssignee, toQueuedChat } from '../../routing/set-assignee.ts';
import { getChatRow } from '../read/find-chat.ts';
import { loadUsers } from '../read/load-users.ts';
import { assertCanAct, chatPresence, toRequester } from './requester.ts';

type Tx = Transaction<OrganizationScope>;
type ChatRow = Awaited<ReturnType<typeof getChatRow>>;

export interface UserChangeInput {
  chatId: string;
  user: { kind: 'customer' | 'agent'; id: string };
  ignoreRequesterPresence: boolean;
}

export interface AddUserInput extends UserChangeInput {
  visibility: Visibility;
}

const chatFields = ({ id: chatId, lastThreadId: threadId, customerId, groupIds }: ChatRow) => ({
  ...{ chatId, threadId, customerId, groupIds },
});

const isActor = ({ actor }: Tx, userId: string): boolean => actor.kind === 'agent' && actor.id === userId;

/**
 * Agents may join and leave any chat they can see; changing other users requires being in the chat. Takes the
 * organization lock, so that the chat does not change.
 */
const lockChatForChange = async (
  tx: Tx,
  { chatId, user, ignoreRequesterPresence }: UserChangeInput,
): Promise<ChatRow> => {
  await lockOrganization(tx);
  const chat = await getChatRow(tx, chatId);
  if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
  if (!isActor(tx, user.id)) await assertCanAct(tx, chatId, ignoreRequesterPresence);
  return chat;
};

const nameOf = async (tx: Tx, agentId: string): Promise<string> => {
  const agent = await tx.from('agents').where('id', '=', agentId).select(['name', 'deletedAt']).executeTakeFirst();
  if (!agent || agent.deletedAt) throw notFound('Agent');
  return agent.name;
};

const addedMessage = (agent: string): SystemMessage => ({
  ...joinedMessage(agent),
  type: 'agent_added',
  text: `${agent} was added to the chat`,
});

const removedMessage = (agent: string, bySelf: boolean, visibility: Visibility): SystemMessage => ({
  type: bySelf ? 'agent_left' : 'agent_removed',
  text: bySelf ? `${agent} left the chat` : `${agent} was removed from the chat`,
  vars: { agent },
  visibility,
});

const insertAgent = async (tx: Tx, chat: ChatRow, agentId: string, visibility: Visibility): Promise<void> => {
  const joinedAt = tx.now();
  const row = { chatId: chat.id, kind: 'agent' as const, userId: agentId, visibility, joinedAt };
  await tx
    .insert('chatUsers', { ...row, present: true, seenUpTo: null })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'chatId', 'kind', 'userId'])
        .doUpdateSet({ present: true, visibility, joinedAt }),
    )
    .execute();
  if (visibility === 'agents') return;
  await tx
    .insert('threadAgents', { threadId: chat.lastThreadId, agentId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Adds an agent. An unassigned chat is assigned to an agent who joins visibly. */
const addAgent = async (tx: Tx, chat: ChatRow, agentId: string, visibility: Visibility): Promise<void> => {
  const name = await nameOf(tx, agentId);
  const before = await chatPresence(tx, chat.id, agentId);
  if (before === visibility) return;
  if (before === 'all')
    throw invalid('visibility', 'cannot be changed to agents: the customer has already seen this agent');
  if (visibility === 'all' && chat.assigneeId === null) {
    const agent = await setAssignee(tx, chat, agentId, 'taken_over');
    return announceAssignments(tx, [{ chat: toQueuedChat(tx, chat), agent }]);
  }
  await getChatRow(tx, chat.id, true);
  const requester = isActor(tx, agentId)
    ? ({ kind: 'agent', id: agentId, visibility } as const)
    : await toRequester(tx, chat.id);
  await insertAgent(tx, chat, agentId, visibility);
  const about = toChatRef(tx, chatFields(chat));
  const user = (await loadUsers(tx, [chat.id])).get(chat.id)!.find(({ id }) => id === agentId)!;
  tx.emit({ type: 'user_added', ...about, user, visibility, reason: 'manual', ...(requester ? { requester } : {}) });
  const message = isActor(tx, agentId) ? joinedMessage(name) : addedMessage(name);
  await postSystemMessages(tx, [{ about, message: { ...message, visibility } }]);
};

/** A chat has exactly one customer, who is in it from the start. */
const assertIsChatCustomer = ({ customerId }: ChatRow, userId: string): void => {
  if (customerId !== userId.toLowerCase())
    throw invalid('userId', 'must be the customer of this chat: no other customer can be added');
};

const normalizeUser = <Input extends UserChangeInput>(input: Input): Input => ({
  ...input,
  user: { ...input.user, id: input.user.id.toLowerCase() },
});

/** Adds an agent to an active chat, visible to the customer or not. */
export const addUser = (scope: OrganizationScope, input: AddUserInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { user, visibility, ...rest } = normalizeUser(input);
    const chat = await lockChatForChange(tx, { user, ...rest });
    if (user.kind === 'customer') assertIsChatCustomer(chat, user.id);
    else await addAgent(tx, chat, user.id, visibility);
  });

const removeAgent = async (tx: Tx, chat: ChatRow, agentId: string): Promise<void> => {
  const visibility = await chatPresence(tx, chat.id, agentId);
  if (!visibility) throw notFound('User');
  if (chat.assigneeId === agentId) {
    if (!(await reassignUnansweredChat(tx, chat, 'other'))) await reassignChats(tx, agentId, 'other', [chat.id]);
    return;
  }
  await getChatRow(tx, chat.id, true);
  const requester = await toRequester(tx, chat.id);
  await tx
    .update('chatUsers')
    .where('chatId', '=', chat.id)
    .where('kind', '=', 'agent')
    .where('userId', '=', agentId)
    .set({ present: false })
    .execute();
  const about = toChatRef(tx, chatFields(chat));
  const change = { visibility, reason: 'manual', ...(requester ? { requester } : {}) };
  tx.emit({ type: 'user_removed', ...about, user: { kind: 'agent', id: agentId }, ...change });
  const { name } = await tx.from('agents').where('id', '=', agentId).select('name').executeTakeFirstOrThrow();
  await postSystemMessages(tx, [{ about, message: removedMessage(name, isActor(tx, agentId), visibility) }]);
};

/** Removes an agent from an active chat. If it is the assignee, the chat is reassigned. */
export const removeUser = (scope: OrganizationScope, input: UserChangeInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { user, ...rest } = normalizeUser(input);
    const chat = await lockChatForChange(tx, { user, ...rest });
    if (user.kind === 'customer')
      throw invalid('userType', 'must be `agent`: a customer cannot be removed from a chat');
    await removeAgent(tx, chat, user.id);
  });
