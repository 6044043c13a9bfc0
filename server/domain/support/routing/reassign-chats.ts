import type { OrganizationScope, Transaction } from '../../scope.ts';
import { choose } from './candidates.ts';
import { openFloor, type Waiting, withLoad, withWaiting } from './floor.ts';
import { type Released, releaseChats } from './release-chats.ts';
import { aboutChat, type Routed, reroute } from './reroute.ts';
import { type AwayReason, saidReassigned, saidUnassigned, say } from './say-routing.ts';
import { PRIORITY, withHandedOver } from './set-assignee.ts';
import { tellArrival } from './tell-arrival.ts';
import { writePlacements } from './write-placements.ts';

type Tx = Transaction<OrganizationScope>;

interface Leaving {
  agentId: string;
  reason: AwayReason;
}

/** Each chat learns who left it, and who answers instead or that it waits. */
const tell = async (tx: Tx, chats: Released[], { agentId, reason }: Leaving, routed: Omit<Routed, 'placed'>) => {
  const { name } = await tx.from('agents').where('id', '=', agentId).select('name').executeTakeFirstOrThrow();
  const sayings = chats.map((chat) => {
    const about = aboutChat(tx, chat);
    const answering = routed.answering.get(chat.chatId);
    const seen = { visibility: 'all', reason: 'other' } as const;
    tx.emit({ type: 'user_removed', ...about, user: { kind: 'agent', id: agentId }, ...seen });
    if (!answering) {
      const queue = routed.places.get(chat.chatId)!;
      tx.emit({ type: 'chat_transferred', ...about, reason: 'unassigned', to: { groupIds: chat.groupIds }, queue });
      return { about, said: saidUnassigned(name, reason) };
    }
    const { user, wasThere } = answering;
    if (!wasThere) tx.emit({ type: 'user_added', ...about, user, ...seen });
    const why = reason === 'inactive' ? 'inactive' : 'other';
    tx.emit({ type: 'chat_transferred', ...about, reason: why, to: { agentIds: [user.id] } });
    return { about, said: saidReassigned(user.name, name, reason) };
  });
  await say(tx, sayings);
  for (const chat of chats) {
    const answering = routed.answering.get(chat.chatId);
    if (answering) await tellArrival(tx, aboutChat(tx, chat), answering);
  }
};

/** Whoever does not take chats any more has its open ones given to others, before all that have just arrived; or they wait. */
export const reassignChats = async (tx: Tx, agentId: string, reason: AwayReason, chatIds?: string[]): Promise<void> => {
  const before = await openFloor(tx);
  const released = await releaseChats(tx, agentId, chatIds);
  if (released.length === 0) return;
  const returning: Waiting[] = released.map((chat) => ({
    ...chat,
    priority: PRIORITY.returning,
    enteredAt: tx.now(),
    // Whoever takes chats still, but not these, is passed over this time.
    ...(chatIds ? { notBy: agentId } : {}),
  }));
  const after = withWaiting(withLoad(before, agentId, -released.length), returning);
  await tell(tx, released, { agentId, reason }, await reroute(tx, before, after));
};

/**
 * Takes one chat from an agent who leaves its customer waiting, and gives it to another who has room. Says whether
 * anybody had: the chat is better off with its own agent than in the queue.
 */
export const unassign = async (
  tx: Tx,
  chat: { id: string; groupIds: number[]; assigneeId: string | null },
  reason: AwayReason = 'inactive',
): Promise<boolean> => {
  const before = await openFloor(tx);
  const { id: chatId, assigneeId: agentId, groupIds } = chat;
  if (agentId === null) return false;
  const others = { ...before, agents: before.agents.filter(({ id }) => id !== agentId) };
  const placement = choose(others, { groupIds, botDone: true });
  const [released] = placement ? await releaseChats(tx, agentId, [chatId]) : [];
  if (!placement || !released) return false;
  const waiting = { ...released, priority: PRIORITY.returning, enteredAt: tx.now() };
  const answering = await writePlacements(tx, [{ chat: waiting, ...placement }]);
  const routed = await reroute(tx, before, withHandedOver(before, chatId, agentId, placement.agentId));
  await tell(tx, [released], { agentId, reason }, { answering, places: routed.places });
  return true;
};
