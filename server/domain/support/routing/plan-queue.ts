import { chooseAgent, type RoutingDecision } from './candidates.ts';
import { type QueuedChat, type RoutingSnapshot, withoutQueued } from './routing-snapshot.ts';

export interface PlannedAssignment extends RoutingDecision {
  chat: QueuedChat;
}

const withAssigned = (snapshot: RoutingSnapshot, agentId: string, at: string): RoutingSnapshot => ({
  ...snapshot,
  agents: snapshot.agents.map((one) => (one.id === agentId ? { ...one, open: one.open + 1, lastAssignedAt: at } : one)),
});

/**
 * Assigns queued chats to agents with room, in queue order. A chat that no agent can take stays in the queue and blocks
 * only the chats that need the same agents. Returns the assignments and the snapshot after them.
 */
export const planQueue = (
  snapshot: RoutingSnapshot,
  now: Date,
): { assigned: PlannedAssignment[]; snapshot: RoutingSnapshot } => {
  const assigned: PlannedAssignment[] = [];
  const full = new Set<string>();
  let state = snapshot;
  for (const chat of snapshot.waiting) {
    const request = [chat.botAnswered, chat.excludedAgentId, ...chat.groupIds].join();
    if (full.has(request)) continue;
    const decision = chooseAgent(state, chat);
    if (decision) {
      assigned.push({ chat, ...decision });
      state = withAssigned(state, decision.agentId, now.toISOString());
    } else full.add(request);
  }
  const assignedIds = assigned.map(({ chat }) => chat.chatId);
  return { assigned, snapshot: withoutQueued(state, assignedIds) };
};
