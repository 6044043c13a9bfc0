import type { Candidate } from '#server/storage/tables/routing.ts';

/** The criterion that selected the agent. When a person chose instead, the verb stores another rule name. */
export type SelectionRule = 'only_candidate' | 'lowest_load' | 'longest_waiting' | 'login_order';

export interface LeastBusyChoice {
  agentId: string;
  rule: SelectionRule;
}

export const hasRoom = ({ open, limit }: Pick<Candidate, 'open' | 'limit'>): boolean => open < limit;

/** Compares by cross-multiplication, because equal fractions must compare as equal. */
export const compareLoad = (one: Candidate, other: Candidate): number =>
  one.open * other.limit - other.open * one.limit;

/** An agent who was never assigned a chat has waited longest. */
const since = ({ lastAssignedAt }: Candidate): number =>
  lastAssignedAt === undefined ? 0 : Date.parse(lastAssignedAt);

const leastBy = (candidates: Candidate[], compare: (one: Candidate, other: Candidate) => number): Candidate[] => {
  const least = candidates.reduce((best, one) => (compare(one, best) < 0 ? one : best));
  return candidates.filter((one) => compare(one, least) === 0);
};

/**
 * Chooses the agent with the fewest open chats relative to the limit; among equals the one who has waited longest for a
 * chat; then the first by login.
 */
export const chooseLeastBusy = (candidates: Candidate[]): LeastBusyChoice | undefined => {
  const free = candidates.filter(hasRoom);
  if (free.length === 0) return undefined;
  if (free.length === 1) return { agentId: free[0]!.agentId, rule: 'only_candidate' };
  const leastBusy = leastBy(free, compareLoad);
  if (leastBusy.length === 1) return { agentId: leastBusy[0]!.agentId, rule: 'lowest_load' };
  const longest = leastBy(leastBusy, (one, other) => since(one) - since(other));
  if (longest.length === 1) return { agentId: longest[0]!.agentId, rule: 'longest_waiting' };
  const first = longest.reduce((best, one) => (one.agentId < best.agentId ? one : best));
  return { agentId: first.agentId, rule: 'login_order' };
};
