import type { OrganizationScope, Transaction } from '../../scope.ts';
import { announceArrival } from './announce-arrival.ts';
import { chooseAgent } from './candidates.ts';
import { type ReleasedChat, releaseChats } from './release-chats.ts';
import { type RoutingResult, reroute, toChatRef } from './reroute.ts';
import { postSystemMessages, reassignedMessage, type UnassignReason, unassignedMessage } from './routing-messages.ts';
import { loadRoutingSnapshotForUpdate, type QueuedChat, withLoad, withQueued } from './routing-snapshot.ts';
import { QUEUE_PRIORITY, withReassigned } from './set-assignee.ts';
import { writeAssignments } from './write-assignments.ts';

type Tx = Transaction<OrganizationScope>;

interface Departure {
  agentId: string;
  reason: UnassignReason;
}

/** Announces in each chat who left it, and either who answers now or that it is queued. */
const announceReassignment = async (
  tx: Tx,
  chats: ReleasedChat[],
  { agentId, reason }: Departure,
  routed: Omit<RoutingResult, 'assigned'>,
) => {
  const { name } = await tx.from('agents').where('id', '=', agentId).select('name').executeTakeFirstOrThrow();
  const messages = chats.map((chat) => {
    const about = toChatRef(tx, chat);
    const assignedAgent = routed.assignedAgents.get(chat.chatId);
    const seen = { visibility: 'all', reason: 'other' } as const;
    tx.emit({ type: 'user_removed', ...about, user: { kind: 'agent', id: agentId }, ...seen });
    if (!assignedAgent) {
      const queue = routed.positions.get(chat.chatId)!;
      tx.emit({ type: 'chat_transferred', ...about, reason: 'unassigned', to: { groupIds: chat.groupIds }, queue });
      return { about, message: unassignedMessage(name, reason) };
    }
    const { user, wasPresent } = assignedAgent;
    if (!wasPresent) tx.emit({ type: 'user_added', ...about, user, ...seen });
    const why = reason === 'inactive' ? 'inactive' : 'other';
    tx.emit({ type: 'chat_transferred', ...about, reason: why, to: { agentIds: [user.id] } });
    return { about, message: reassignedMessage(user.name, name, reason) };
  });
  await postSystemMessages(tx, messages);
  for (const chat of chats) {
    const assignedAgent = routed.assignedAgents.get(chat.chatId);
    if (assignedAgent) await announceArrival(tx, toChatRef(tx, chat), assignedAgent);
  }
};

/**
 * Reassigns the open chats of an agent who no longer accepts chats. They are queued before new chats when no agent has
 * room.
 */
export const reassignChats = async (
  tx: Tx,
  agentId: string,
  reason: UnassignReason,
  chatIds?: string[],
): Promise<void> => {
  const before = await loadRoutingSnapshotForUpdate(tx);
  const released = await releaseChats(tx, agentId, chatIds);
  if (released.length === 0) return;
  const returning: QueuedChat[] = released.map((chat) => ({
    ...chat,
    priority: QUEUE_PRIORITY.returning,
    enteredAt: tx.now(),
    // An agent who still accepts chats must not get back the chats that were just taken away.
    ...(chatIds ? { excludedAgentId: agentId } : {}),
  }));
  const after = withQueued(withLoad(before, agentId, -released.length), returning);
  await announceReassignment(tx, released, { agentId, reason }, await reroute(tx, before, after));
};

/**
 * Takes a chat from an agent who does not respond and assigns it to another agent with room. Returns false if there is
 * none: the chat is better off with its agent than in the queue.
 */
export const reassignUnansweredChat = async (
  tx: Tx,
  chat: { id: string; groupIds: number[]; assigneeId: string | null },
  reason: UnassignReason = 'inactive',
): Promise<boolean> => {
  const before = await loadRoutingSnapshotForUpdate(tx);
  const { id: chatId, assigneeId: agentId, groupIds } = chat;
  if (agentId === null) return false;
  const others = { ...before, agents: before.agents.filter(({ id }) => id !== agentId) };
  const decision = chooseAgent(others, { groupIds, botAnswered: true });
  const [released] = decision ? await releaseChats(tx, agentId, [chatId]) : [];
  if (!decision || !released) return false;
  const waiting = { ...released, priority: QUEUE_PRIORITY.returning, enteredAt: tx.now() };
  const assignedAgents = await writeAssignments(tx, [{ chat: waiting, ...decision }]);
  const routed = await reroute(tx, before, withReassigned(before, chatId, agentId, decision.agentId));
  await announceReassignment(tx, [released], { agentId, reason }, { assignedAgents, positions: routed.positions });
  return true;
};
