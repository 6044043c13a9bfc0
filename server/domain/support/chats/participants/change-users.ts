import type { Visibility } from '#server/storage/tables/chats.ts';
import { DomainError, invalid, notFound } from '../../../errors.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { reassignChats, unassign } from '../../routing/reassign-chats.ts';
import { aboutChat, tellAnswered } from '../../routing/reroute.ts';
import { type Said, saidJoined, say } from '../../routing/say-routing.ts';
import { assignTo, toWaiting } from '../../routing/set-assignee.ts';
import { getChatRow } from '../read/find-chat.ts';
import { loadUsers } from '../read/load-users.ts';
import { assertMayAct, presenceOf, requesterIn } from './requester.ts';

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

const inThread = ({ id: chatId, lastThreadId: threadId, customerId, groupIds }: ChatRow) => ({
  ...{ chatId, threadId, customerId, groupIds },
});

const isActor = ({ actor }: Tx, userId: string): boolean => actor.kind === 'agent' && actor.id === userId;

/** Whoever may see a chat may come and go; for others one must be in it. Under the turn, so that the chat stays as it is read. */
const openForChange = async (tx: Tx, { chatId, user, ignoreRequesterPresence }: UserChangeInput): Promise<ChatRow> => {
  await lockOrganization(tx);
  const chat = await getChatRow(tx, chatId);
  if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
  if (!isActor(tx, user.id)) await assertMayAct(tx, chatId, ignoreRequesterPresence);
  return chat;
};

const nameOf = async (tx: Tx, agentId: string): Promise<string> => {
  const agent = await tx.from('agents').where('id', '=', agentId).select(['name', 'deletedAt']).executeTakeFirst();
  if (!agent || agent.deletedAt) throw notFound('Agent');
  return agent.name;
};

const saidAdded = (agent: string): Said => ({
  ...saidJoined(agent),
  type: 'agent_added',
  text: `${agent} was added to the chat`,
});

const saidGone = (agent: string, bySelf: boolean, visibility: Visibility): Said => ({
  type: bySelf ? 'agent_left' : 'agent_removed',
  text: bySelf ? `${agent} left the chat` : `${agent} was removed from the chat`,
  vars: { agent },
  visibility,
});

const writeJoined = async (tx: Tx, chat: ChatRow, agentId: string, visibility: Visibility): Promise<void> => {
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

/** Lets an agent in. A chat that waits for somebody is answered by whoever comes for the customer to see. */
const addAgent = async (tx: Tx, chat: ChatRow, agentId: string, visibility: Visibility): Promise<void> => {
  const name = await nameOf(tx, agentId);
  const before = await presenceOf(tx, chat.id, agentId);
  if (before === visibility) return;
  if (before === 'all') throw invalid('visibility', 'cannot be taken back: the customer has seen this agent');
  if (visibility === 'all' && chat.assigneeId === null) {
    const answering = await assignTo(tx, chat, agentId, 'taken_over');
    return tellAnswered(tx, [{ chat: toWaiting(tx, chat), answering }]);
  }
  await getChatRow(tx, chat.id, true);
  const requester = isActor(tx, agentId)
    ? ({ kind: 'agent', id: agentId, visibility } as const)
    : await requesterIn(tx, chat.id);
  await writeJoined(tx, chat, agentId, visibility);
  const about = aboutChat(tx, inThread(chat));
  const user = (await loadUsers(tx, [chat.id])).get(chat.id)!.find(({ id }) => id === agentId)!;
  tx.emit({ type: 'user_added', ...about, user, visibility, reason: 'manual', ...(requester ? { requester } : {}) });
  const said = isActor(tx, agentId) ? saidJoined(name) : saidAdded(name);
  await say(tx, [{ about, said: { ...said, visibility } }]);
};

/** The chat's own customer is there already; there can be no other. */
const assertOwnCustomer = ({ customerId }: ChatRow, userId: string): void => {
  if (customerId !== userId.toLowerCase()) throw invalid('user_id', 'a chat has one customer, from its beginning');
};

const readUser = <Input extends UserChangeInput>(input: Input): Input => ({
  ...input,
  user: { ...input.user, id: input.user.id.toLowerCase() },
});

/** Brings an agent into an active chat, seen by the customer or not. */
export const addUser = (scope: OrganizationScope, input: AddUserInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { user, visibility, ...rest } = readUser(input);
    const chat = await openForChange(tx, { user, ...rest });
    if (user.kind === 'customer') assertOwnCustomer(chat, user.id);
    else await addAgent(tx, chat, user.id, visibility);
  });

const removeAgent = async (tx: Tx, chat: ChatRow, agentId: string): Promise<void> => {
  const visibility = await presenceOf(tx, chat.id, agentId);
  if (!visibility) throw notFound('User');
  if (chat.assigneeId === agentId) {
    if (!(await unassign(tx, chat, 'other'))) await reassignChats(tx, agentId, 'other', [chat.id]);
    return;
  }
  await getChatRow(tx, chat.id, true);
  const requester = await requesterIn(tx, chat.id);
  await tx
    .update('chatUsers')
    .where('chatId', '=', chat.id)
    .where('kind', '=', 'agent')
    .where('userId', '=', agentId)
    .set({ present: false })
    .execute();
  const about = aboutChat(tx, inThread(chat));
  const change = { visibility, reason: 'manual', ...(requester ? { requester } : {}) };
  tx.emit({ type: 'user_removed', ...about, user: { kind: 'agent', id: agentId }, ...change });
  const { name } = await tx.from('agents').where('id', '=', agentId).select('name').executeTakeFirstOrThrow();
  await say(tx, [{ about, said: saidGone(name, isActor(tx, agentId), visibility) }]);
};

/** Takes an agent out of an active chat. When it is the one who answers, another is looked for. */
export const removeUser = (scope: OrganizationScope, input: UserChangeInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { user, ...rest } = readUser(input);
    const chat = await openForChange(tx, { user, ...rest });
    if (user.kind === 'customer') throw invalid('user_type', 'a customer cannot be removed from its chat');
    await removeAgent(tx, chat, user.id);
  });
