import { choose, type Placement } from './candidates.ts';
import { type Floor, type Waiting, withoutWaiting } from './floor.ts';

export interface Placed extends Placement {
  chat: Waiting;
}

const give = (floor: Floor, agentId: string, at: string): Floor => ({
  ...floor,
  agents: floor.agents.map((one) => (one.id === agentId ? { ...one, open: one.open + 1, lastAssignedAt: at } : one)),
});

/**
 * Gives waiting chats to whoever has room, in their order. One that nobody can take now stays where it is and holds up
 * only those who wait for the same agents. Says who got what, and what the floor is like afterwards.
 */
export const planQueue = (floor: Floor, now: Date): { placed: Placed[]; floor: Floor } => {
  const placed: Placed[] = [];
  const full = new Set<string>();
  let state = floor;
  for (const chat of floor.waiting) {
    const asking = [chat.botDone, chat.notBy, ...chat.groupIds].join();
    if (full.has(asking)) continue;
    const placement = choose(state, chat);
    if (placement) {
      placed.push({ chat, ...placement });
      state = give(state, placement.agentId, now.toISOString());
    } else full.add(asking);
  }
  const gone = placed.map(({ chat }) => chat.chatId);
  return { placed, floor: withoutWaiting(state, gone) };
};
