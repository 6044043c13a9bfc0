import type { Candidate } from '#server/storage/tables/routing.ts';

/** What decided. Verbs write rules of their own when a person, not the rule, chose. */
export type DecidingRule = 'only_candidate' | 'lowest_load' | 'longest_waiting' | 'login_order';

export interface Decision {
  agentId: string;
  rule: DecidingRule;
}

export const hasRoom = ({ open, limit }: Pick<Candidate, 'open' | 'limit'>): boolean => open < limit;

/** Cross-multiplied: fractions that are equal must compare as equal. */
export const compareLoad = (one: Candidate, other: Candidate): number =>
  one.open * other.limit - other.open * one.limit;

/** Whoever never got a chat has waited longest. */
const since = ({ lastAssignedAt }: Candidate): number =>
  lastAssignedAt === undefined ? 0 : Date.parse(lastAssignedAt);

const leastBy = (candidates: Candidate[], compare: (one: Candidate, other: Candidate) => number): Candidate[] => {
  const least = candidates.reduce((best, one) => (compare(one, best) < 0 ? one : best));
  return candidates.filter((one) => compare(one, least) === 0);
};

/** Who gets the chat: the fewest open chats relative to the limit; among equals who waited longest; then by login. */
export const decide = (candidates: Candidate[]): Decision | undefined => {
  const free = candidates.filter(hasRoom);
  if (free.length === 0) return undefined;
  if (free.length === 1) return { agentId: free[0]!.agentId, rule: 'only_candidate' };
  const idlest = leastBy(free, compareLoad);
  if (idlest.length === 1) return { agentId: idlest[0]!.agentId, rule: 'lowest_load' };
  const longest = leastBy(idlest, (one, other) => since(one) - since(other));
  if (longest.length === 1) return { agentId: longest[0]!.agentId, rule: 'longest_waiting' };
  const first = longest.reduce((best, one) => (one.agentId < best.agentId ? one : best));
  return { agentId: first.agentId, rule: 'login_order' };
};
