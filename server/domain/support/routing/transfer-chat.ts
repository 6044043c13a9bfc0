import type { Candidate } from '#server/storage/tables/routing.ts';
import { requireAgent } from '../../access.ts';
import { DomainError, notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { assertMayAct, requesterIn } from '../chats/participants/requester.ts';
import { getChatRow } from '../chats/read/find-chat.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { acceptingOn, choose, type Placement } from './candidates.ts';
import { compareLoad, hasRoom } from './decide.ts';
import { type Floor, openFloor, type Waiting, withWaiting } from './floor.ts';
import type { TransferTarget } from './records.ts';
import { releaseChats } from './release-chats.ts';
import { reroute } from './reroute.ts';
import { PRIORITY, withHandedOver } from './set-assignee.ts';
import { tellTransfer } from './tell-transfer.ts';
import { writePlacements } from './write-placements.ts';

type Tx = Transaction<OrganizationScope>;
type ChatRow = Awaited<ReturnType<typeof getChatRow>>;

export interface TransferInput {
  chatId: string;
  /** Absent: to somebody else of its groups. */
  target?: TransferTarget | undefined;
  /** Absent: of an agent the limit matters and the status does not. */
  ignoreAgentsAvailability?: boolean | undefined;
  reason?: string | undefined;
}

const NAMED = `
select a.id as "agentId", a.max_chats_count as "limit", a.status = 'accepting chats' and not a.away as accepting, (
  select count(*)::int from chats c
  where c.organization_id = a.organization_id and c.assignee_id = a.id and c.active) as open
from agents a
where a.organization_id = $1 and a.id = any($2) and a.deleted_at is null`;

/** The agent whom somebody chose; of several the one with the least to do. */
const findNamed = async (tx: Tx, ids: string[], ignore: boolean | undefined): Promise<Placement> => {
  const values = [tx.organizationId, ids.map((id) => id.toLowerCase())];
  const { rows } = await tx.executor.query<Candidate & { accepting: boolean }>({ name: 'named', text: NAMED, values });
  if (rows.length < new Set(values[1]).size) throw notFound('Agent');
  const there = ignore === false ? rows.filter(({ accepting }) => accepting) : rows;
  if (there.length === 0) throw new DomainError('groups_offline', 'Groups offline');
  const able = ignore ? there : there.filter(hasRoom);
  if (able.length === 0) throw new DomainError('limit_reached', 'Resource limit reached');
  const candidates = rows.map(({ agentId, open, limit }) => ({ agentId, open, limit }));
  const { agentId } = able.reduce((least, one) => (compareLoad(one, least) < 0 ? one : least));
  return { agentId, rule: agentId === ('id' in tx.actor && tx.actor.id) ? 'taken_over' : 'transferred', candidates };
};

/** Somebody else of the groups; whoever hands the chat on gets it back only when nobody else has room. */
const findInGroups = (floor: Floor, chat: Waiting, from: string | null, ignore: boolean | undefined) => {
  const { bots, people } = acceptingOn(floor, chat);
  if (ignore === false && bots.length + people.length === 0) throw new DomainError('groups_offline', 'Groups offline');
  const others = { ...floor, agents: floor.agents.filter(({ id }) => id !== from) };
  return choose(others, chat) ?? choose(withHandedOver(floor, chat.chatId, from), chat);
};

/** Whoever is in a chat may hand it on, anybody who sees it may take it over or hand on what waits; administrators always may. */
const assertMayTransfer = async (tx: Tx, chat: ChatRow, target: TransferTarget | undefined): Promise<void> => {
  if (tx.actor.kind === 'system') return;
  const agent = requireAgent(tx.actor);
  const takesOver = target?.type === 'agent' && target.ids.every((id) => id.toLowerCase() === agent.id);
  if (chat.assigneeId !== null && !takesOver) await assertMayAct(tx, chat.id, true);
};

const moveTo = async (tx: Tx, { id, lastThreadId }: ChatRow, groupIds: number[]): Promise<void> => {
  await tx.update('chats').where('id', '=', id).set({ groupIds }).execute();
  await tx.update('threads').where('id', '=', lastThreadId).set({ groupIds }).execute();
  const waits = { groupIds, priority: PRIORITY.transferred };
  await tx.update('queueStays').where('chatId', '=', id).where('leftAt', 'is', null).set(waits).execute();
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
 * Gives a chat to another agent, or to a group: there it is routed, and waits before all others when nobody has room.
 * To take a chat over is to transfer it to oneself.
 */
export const transferChat = (scope: OrganizationScope, input: TransferInput): Promise<void> =>
  scope.transaction(async (tx) => {
    const { chatId, target, ignoreAgentsAvailability: ignore } = input;
    const before = await openFloor(tx);
    const chat = await getChatRow(tx, chatId, true);
    if (!chat.active) throw new DomainError('chat_inactive', 'No active chat thread');
    await assertMayTransfer(tx, chat, target);
    const groupIds = target?.type === 'group' ? [...new Set(target.ids)] : chat.groupIds;
    if (target?.type === 'group') await assertGroupsExist(tx, groupIds);
    const earlier = before.waiting.find((one) => one.chatId === chatId);
    const handed: Waiting = {
      ...(earlier ?? { enteredAt: tx.now(), botDone: await wasHandledByBot(tx, chat.lastThreadId) }),
      ...{ chatId, threadId: chat.lastThreadId, customerId: chat.customerId, groupIds, priority: PRIORITY.transferred },
    };
    const from = chat.assigneeId;
    if (target?.type === 'agent' && target.ids.some((id) => id.toLowerCase() === from)) return;
    const placement =
      target?.type === 'agent' ? await findNamed(tx, target.ids, ignore) : findInGroups(before, handed, from, ignore);
    // Nobody else can take it: it stays where it is.
    if (!target && (placement ? placement.agentId === from : earlier !== undefined)) return;
    const requester = await requesterIn(tx, chatId);
    if (from !== null) await releaseChats(tx, from, [chatId]);
    if (target?.type === 'group') await moveTo(tx, chat, groupIds);
    const answering = placement && (await writePlacements(tx, [{ chat: handed, ...placement }])).get(chatId);
    const freed = withHandedOver(before, chatId, from, placement?.agentId);
    const { places } = await reroute(tx, before, placement ? freed : withWaiting(freed, [handed]));
    await tellTransfer(tx, chat, {
      ...{ groupIds, target, answering, from, requester },
      queue: places.get(chatId),
      reason: input.reason ?? 'manual',
    });
  });
