import type { Candidate } from '#server/storage/tables/routing.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import type { GroupStatus } from '../groups/records.ts';
import { compareLoad, decide, hasRoom } from './decide.ts';
import type { Floor, FloorAgent, FloorGroup, Waiting } from './floor.ts';

export const toCandidate = ({ id, open, limit, lastAssignedAt }: FloorAgent): Candidate => ({
  agentId: id,
  open,
  limit,
  ...(lastAssignedAt === undefined ? {} : { lastAssignedAt }),
});

/** Everybody is in group 0. */
const isIn = ({ groupIds }: FloorAgent, wanted: number[]): boolean =>
  wanted.some((id) => id === ALL_AGENTS || groupIds.includes(id));

const groupsById = ({ groups }: Floor): Map<number, FloorGroup> => new Map(groups.map((group) => [group.id, group]));

/** People of the groups who take chats; when there are none, those of the groups that stand in for them, and so on. */
const peopleOf = (floor: Floor, groupIds: number[]): FloorAgent[] => {
  const groups = groupsById(floor);
  const people = floor.agents.filter(({ kind }) => kind === 'person');
  const asked = new Set<number>();
  let asking = groupIds;
  while (asking.length > 0) {
    const found = people.filter((agent) => isIn(agent, asking));
    if (found.length > 0) return found;
    for (const id of asking) asked.add(id);
    const next = asking.flatMap((id) => groups.get(id)?.fallback ?? []);
    asking = [...new Set(next)].filter((id) => !asked.has(id));
  }
  return [];
};

/** Bots answer first where a group says so. */
const botsOf = (floor: Floor, groupIds: number[]): FloorAgent[] => {
  const groups = groupsById(floor);
  const botGroups = groupIds.filter((id) => groups.get(id)?.botsFirst);
  return botGroups.length === 0 ? [] : floor.agents.filter((agent) => agent.kind === 'bot' && isIn(agent, botGroups));
};

type Asking = Pick<Waiting, 'groupIds' | 'botDone' | 'notBy'>;

/** Whoever takes chats of these groups, with room or without, bots apart. */
export const acceptingOn = (floor: Floor, { groupIds, botDone }: Asking) => ({
  bots: botDone ? [] : botsOf(floor, groupIds),
  people: peopleOf(floor, groupIds),
});

export interface Placement {
  agentId: string;
  rule: string;
  /** The idlest of them, when there are very many. */
  candidates: Candidate[];
}

const MAX_CACHED = 50;

/** Kept with every assignment for years: of five hundred agents those tell why who came near. */
const worthKeeping = (candidates: Candidate[], agentId: string): Candidate[] => {
  if (candidates.length <= MAX_CACHED) return candidates;
  const chosen = candidates.filter((one) => one.agentId === agentId);
  const others = candidates.filter((one) => one.agentId !== agentId).sort(compareLoad);
  return [...chosen, ...others].slice(0, MAX_CACHED);
};

/** Who of them answers, if anybody has room; and who else could have. Bots come before people. */
export const chooseAmong = ({ bots, people }: ReturnType<typeof acceptingOn>): Placement | undefined => {
  const free = bots.map(toCandidate).filter(hasRoom);
  const bot = decide(free);
  if (bot) return { agentId: bot.agentId, rule: 'bot_first', candidates: worthKeeping(free, bot.agentId) };
  const candidates = people.map(toCandidate);
  const decision = decide(candidates);
  return decision && { ...decision, candidates: worthKeeping(candidates, decision.agentId) };
};

const without = (floor: Floor, agentId: string): Floor => ({
  ...floor,
  agents: floor.agents.filter(({ id }) => id !== agentId),
});

/** Who answers a chat of these groups now. */
export const choose = (floor: Floor, asking: Asking): Placement | undefined =>
  chooseAmong(acceptingOn(asking.notBy === undefined ? floor : without(floor, asking.notBy), asking));

export const statusOf = (floor: Floor, groupIds: number[]): GroupStatus['status'] => {
  const { bots, people } = acceptingOn(floor, { groupIds, botDone: false });
  const accepting = [...bots, ...people];
  if (accepting.some(hasRoom)) return 'online';
  return accepting.length > 0 ? 'online_for_queue' : 'offline';
};

export const groupStatuses = (floor: Floor): GroupStatus[] =>
  floor.groups.map(({ id }) => ({ id, status: statusOf(floor, [id]) }));
