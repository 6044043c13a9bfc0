import type { Candidate } from '#server/storage/tables/routing.ts';
import { requireAgent } from '../../access.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { assertCanAct, toRequester } from '../chats/participants/requester.ts';
import { getChatRow } from '../chats/read/find-chat.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { announceTransfer } from './announce-transfer.ts';
import { acceptingAgents, chooseAgent, type RoutingDecision } from './candidates.ts';
import { compareLoad, hasRoom } from './choose-least-busy.ts';
import type { TransferTarget } from './records.ts';
import { releaseChats } from './release-chats.ts';
import { reroute } from './reroute.ts';
import { loadRoutingSnapshotForUpdate, type QueuedChat, type RoutingSnapshot, withQueued } from './routing-snapshot.ts';
import { QUEUE_PRIORITY, withReassigned } from './set-assignee.ts';
import { writeAssignments } from './write-assignments.ts';

type Tx = Transaction<OrganizationScope>;
type ChatRow = Awaited<ReturnType<typeof getChatRow>>;

export interface TransferInput {
  chatId: string;
  /** Absent: to another agent of the chat's groups. */
  target?: TransferTarget | undefined;
  /** When absent, a chosen agent must be below the limit, but may have any status. */
  ignoreAgentsAvailability?: boolean | undefined;
  reason?: string | undefined;
}

const NAMED = `
select a.id as "agentId", a.max_chats_count as "limit", a.status = 'accepting chats' and not a.away as accepting, (
  select count(*)::int from chats c
  where c.organization_id = a.organization_id and c.assignee_id = a.id and c.active) as open
from agents a
where a.organization_id = $1 and a.id = any($2) and a.deleted_at is null`;

/** Returns the requested agent, or the least busy of several. */
const findNamedAgent = async (tx: Tx, ids: string[], ignore: boolean | undefined): Promise<RoutingDecision> => {
  const values = [tx.organizationId, ids.map((id) => id.toLowerCase())];
  const { rows } = await tx.executor.query<Candidate & { accepting: boolean }>({ name: 'named', text: NAMED, values });
  if (rows.length < new Set(values[1]).size) throw notFound('Agent');
  const online = ignore === false ? rows.filter(({ accepting }) => accepting) : rows;
  if (online.length === 0) throw new DomainError('groups_offline', 'Groups offline');
  const available = ignore ? online : online.filter(hasRoom);
  if (available.length === 0) throw new DomainError('limit_reached', 'Resource limit reached');
  const candidates = rows.map(({ agentId, open, limit }) => ({ agentId, open, limit }));
  const { agentId } = available.reduce((least, one) => (compareLoad(one, least) < 0 ? one : least));
  return { agentId, rule: agentId === ('id' in tx.actor && tx.actor.id) ? 'taken_over' : 'transferred', candidates };
};

/** Chooses another agent of the groups. The current assignee keeps the chat only when no other agent has room. */
const findInGroups = (
  snapshot: RoutingSnapshot,
  chat: QueuedChat,
  from: string | null,
  ignore: boolean | undefined,
) => {
  const { bots, people } = acceptingAgents(snapshot, chat);
  if (ignore === false && bots.length + people.length === 0) throw new DomainError('groups_offline', 'Groups offline');
  const others = { ...snapshot, agents: snapshot.agents.filter(({ id }) => id !== from) };
  return chooseAgent(others, chat) ?? chooseAgent(withReassigned(snapshot, chat.chatId, from), chat);
};

/**
 * Users of a chat may transfer it, every agent who sees it may take it over or transfer it out of the queue, and
 * administrators may always.
 */
const assertMayTransfer = async (tx: Tx, chat: ChatRow, target: TransferTarget | undefined): Promise<void> => {
  if (tx.actor.kind === 'system') return;
  const agent = requireAgent(tx.actor);
  const takesOver = target?.type === 'agent' && target.ids.every((id) => id.toLowerCase() === agent.id);
  if (chat.assigneeId !== null && !takesOver) await assertCanAct(tx, chat.id, true);
};

const moveTo = async (tx: Tx, { id, lastThreadId }: ChatRow, groupIds: number[]): Promise<void> => {
  await tx.update('chats').where('id', '=', id).set({ groupIds }).execute();
  await tx.update('threads').where('id', '=', lastThreadId).set({ groupIds }).execute();
  const queueEntry = { groupIds, priority: QUEUE_PRIORITY.transferred };
  await tx.update('queueEntries').where('chatId', '=', id).where('leftAt', 'is', null).set(queueEntry).execute();
};

const wasHandledByBot = async (tx: Tx, threadId: string): Promise<boolean> =>
  (await tx
    .from('threadAgents')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.organizationId', '=', 'threadAgents.organizationId')
        .onRef('agents.id', '=', 'threadAgents.agentId'),
    )
    .where('threadId', '=', threadId)
    .where('kind', '=', 'bot')
    .select('agentId')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/**
 * Transfers a chat to another agent or to a group. In a group it is routed, or queued before all others when no agent
 * has room. Taking over a chat is a transfer to oneself.
 */
export const transferChat = (scope: OrganizationScope, input: TransferInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { chatId, target, ignoreAgentsAvailability: ignore } = input;
    const before = await loadRoutingSnapshotForUpdate(tx);
    const chat = await getChatRow(tx, chatId, true);
    if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
    await assertMayTransfer(tx, chat, target);
    const groupIds = target?.type === 'group' ? [...new Set(target.ids)] : chat.groupIds;
    if (target?.type === 'group') await assertGroupsExist(tx, groupIds);
    const queued = before.waiting.find((one) => one.chatId === chatId);
    const chatToRoute: QueuedChat = {
      ...(queued ?? { enteredAt: tx.now(), botAnswered: await wasHandledByBot(tx, chat.lastThreadId) }),
      ...{
        chatId,
        threadId: chat.lastThreadId,
        customerId: chat.customerId,
        groupIds,
        priority: QUEUE_PRIORITY.transferred,
      },
    };
    const from = chat.assigneeId;
    if (target?.type === 'agent' && target.ids.some((id) => id.toLowerCase() === from)) return;
    const decision =
      target?.type === 'agent'
        ? await findNamedAgent(tx, target.ids, ignore)
        : findInGroups(before, chatToRoute, from, ignore);
    // No other agent can take the chat, so it stays where it is.
    if (!target && (decision ? decision.agentId === from : queued !== undefined)) return;
    const requester = await toRequester(tx, chatId);
    if (from !== null) await releaseChats(tx, from, [chatId]);
    if (target?.type === 'group') await moveTo(tx, chat, groupIds);
    const agent = decision && (await writeAssignments(tx, [{ chat: chatToRoute, ...decision }])).get(chatId);
    const freed = withReassigned(before, chatId, from, decision?.agentId);
    const { positions } = await reroute(tx, before, decision ? freed : withQueued(freed, [chatToRoute]));
    await announceTransfer(tx, chat, {
      ...{ groupIds, target, agent, from, requester },
      queue: positions.get(chatId),
      reason: input.reason ?? 'manual',
    });
  });
