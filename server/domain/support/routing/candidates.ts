import type { Candidate } from '#server/storage/tables/routing.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import type { GroupStatus } from '../groups/records.ts';
import { chooseLeastBusy, compareLoad, hasRoom } from './choose-least-busy.ts';
import type { QueuedChat, RoutableAgent, RoutableGroup, RoutingSnapshot } from './routing-snapshot.ts';

export const toCandidate = ({ id, open, limit, lastAssignedAt }: RoutableAgent): Candidate => ({
  agentId: id,
  open,
  limit,
  ...(lastAssignedAt === undefined ? {} : { lastAssignedAt }),
});

/** Every agent belongs to group 0, whether or not a membership row says so. */
const isIn = ({ groupIds }: RoutableAgent, wanted: number[]): boolean =>
  wanted.some((id) => id === ALL_AGENTS || groupIds.includes(id));

const groupsById = ({ groups }: RoutingSnapshot): Map<number, RoutableGroup> =>
  new Map(groups.map((group) => [group.id, group]));

/**
 * The people of these groups who accept chats. When a group has none, its fallback group is tried, then the fallback of
 * that one, and so on.
 */
const acceptingPeople = (snapshot: RoutingSnapshot, groupIds: number[]): RoutableAgent[] => {
  const groups = groupsById(snapshot);
  const people = snapshot.agents.filter(({ kind }) => kind === 'person');
  const tried = new Set<number>();
  let current = groupIds;
  while (current.length > 0) {
    const found = people.filter((agent) => isIn(agent, current));
    if (found.length > 0) return found;
    for (const id of current) tried.add(id);
    const next = current.flatMap((id) => groups.get(id)?.fallback ?? []);
    current = [...new Set(next)].filter((id) => !tried.has(id));
  }
  return [];
};

/** Bots answer first in the groups that are configured that way. */
const acceptingBots = (snapshot: RoutingSnapshot, groupIds: number[]): RoutableAgent[] => {
  const groups = groupsById(snapshot);
  const botGroups = groupIds.filter((id) => groups.get(id)?.botsFirst);
  return botGroups.length === 0
    ? []
    : snapshot.agents.filter((agent) => agent.kind === 'bot' && isIn(agent, botGroups));
};

type RoutingRequest = Pick<QueuedChat, 'groupIds' | 'botAnswered' | 'excludedAgentId'>;

/** Agents who accept chats of these groups, whether or not they have room. */
export const acceptingAgents = (snapshot: RoutingSnapshot, { groupIds, botAnswered }: RoutingRequest) => ({
  bots: botAnswered ? [] : acceptingBots(snapshot, groupIds),
  people: acceptingPeople(snapshot, groupIds),
});

export interface RoutingDecision {
  agentId: string;
  rule: string;
  /** When there are very many candidates, only the least busy ones. */
  candidates: Candidate[];
}

const MAX_STORED_CANDIDATES = 50;

/**
 * Candidates are stored with every assignment for years, to explain the decision. In a team of hundreds only those who
 * came close to being chosen explain it.
 */
const selectStoredCandidates = (candidates: Candidate[], agentId: string): Candidate[] => {
  if (candidates.length <= MAX_STORED_CANDIDATES) return candidates;
  const chosen = candidates.filter((one) => one.agentId === agentId);
  const others = candidates.filter((one) => one.agentId !== agentId).sort(compareLoad);
  return [...chosen, ...others].slice(0, MAX_STORED_CANDIDATES);
};

/** Chooses among these agents if any has room, and records the alternatives. Bots come before people. */
export const chooseFrom = ({ bots, people }: ReturnType<typeof acceptingAgents>): RoutingDecision | undefined => {
  const free = bots.map(toCandidate).filter(hasRoom);
  const bot = chooseLeastBusy(free);
  if (bot) return { agentId: bot.agentId, rule: 'bot_first', candidates: selectStoredCandidates(free, bot.agentId) };
  const candidates = people.map(toCandidate);
  const decision = chooseLeastBusy(candidates);
  return decision && { ...decision, candidates: selectStoredCandidates(candidates, decision.agentId) };
};

const withoutAgent = (snapshot: RoutingSnapshot, agentId: string): RoutingSnapshot => ({
  ...snapshot,
  agents: snapshot.agents.filter(({ id }) => id !== agentId),
});

/** Chooses the agent who gets this chat now. */
export const chooseAgent = (snapshot: RoutingSnapshot, request: RoutingRequest): RoutingDecision | undefined =>
  chooseFrom(
    acceptingAgents(
      request.excludedAgentId === undefined ? snapshot : withoutAgent(snapshot, request.excludedAgentId),
      request,
    ),
  );

export const combinedStatus = (snapshot: RoutingSnapshot, groupIds: number[]): GroupStatus['status'] => {
  const { bots, people } = acceptingAgents(snapshot, { groupIds, botAnswered: false });
  const accepting = [...bots, ...people];
  if (accepting.some(hasRoom)) return 'online';
  return accepting.length > 0 ? 'online_for_queue' : 'offline';
};

export const groupStatuses = (snapshot: RoutingSnapshot): GroupStatus[] =>
  snapshot.groups.map(({ id }) => ({ id, status: combinedStatus(snapshot, [id]) }));
