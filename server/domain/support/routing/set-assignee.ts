import type { OrganizationScope, Transaction } from '../../scope.ts';
import { toCandidate } from './candidates.ts';
import { reroute } from './reroute.ts';
import {
  loadRoutingSnapshot,
  loadRoutingSnapshotForUpdate,
  type QueuedChat,
  type RoutingSnapshot,
  withLoad,
  withoutQueued,
} from './routing-snapshot.ts';
import { type AssignedAgent, writeAssignments } from './write-assignments.ts';

type Tx = Transaction<OrganizationScope>;

/** The columns of `chats` that an assignment needs. */
export interface AssignableChat {
  id: string;
  lastThreadId: string;
  customerId: string;
  groupIds: number[];
}

/** A transferred chat comes first in the queue, then one that lost its agent, then new ones. */
export const QUEUE_PRIORITY = { arriving: 0, returning: 1, transferred: 2 } as const;

export const toQueuedChat = (tx: Tx, { id, lastThreadId, customerId, groupIds }: AssignableChat): QueuedChat => ({
  ...{ chatId: id, threadId: lastThreadId, customerId, groupIds },
  priority: QUEUE_PRIORITY.arriving,
  enteredAt: tx.now(),
  botAnswered: false,
});

/** Requires the organization lock. Assigns an agent whom a person chose. */
export const assignChosenAgent = async (
  tx: Tx,
  snapshot: RoutingSnapshot,
  chat: QueuedChat,
  agentId: string,
  rule: string,
): Promise<AssignedAgent> => {
  const candidates = snapshot.agents.filter(({ id }) => id === agentId).map(toCandidate);
  const assignedAgents = await writeAssignments(tx, [{ chat, agentId, rule, candidates }]);
  return assignedAgents.get(chat.chatId)!;
};

/**
 * Assigns an agent regardless of status and limit. The caller has checked permissions, holds no chat row lock, and
 * announces the change. The previous assignee stays in the chat.
 */
export const setAssignee = async (
  tx: Tx,
  chat: AssignableChat,
  agentId: string,
  rule: string,
): Promise<AssignedAgent> => {
  const before = await loadRoutingSnapshotForUpdate(tx);
  const assignedAgent = await assignChosenAgent(tx, before, toQueuedChat(tx, chat), agentId, rule);
  await reroute(tx, before, await loadRoutingSnapshot(tx));
  return assignedAgent;
};

/** The snapshot after a chat moved from one agent to another, or to the queue. */
export const withReassigned = (
  snapshot: RoutingSnapshot,
  chatId: string,
  from: string | null,
  to?: string,
): RoutingSnapshot => {
  const freed = withLoad(withoutQueued(snapshot, [chatId]), from, -1);
  return to === undefined ? freed : withLoad(freed, to, 1);
};
