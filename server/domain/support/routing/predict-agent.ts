import { requireCustomer } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { hasActiveChat } from '../customers/hold-customer.ts';
import { findLastVisit } from '../visits/current-visit.ts';
import { acceptingOn, choose, statusOf, toCandidate } from './candidates.ts';
import { compareLoad } from './decide.ts';
import { type Floor, readFloor } from './floor.ts';

const SESSION_MS = 60_000;

/** An open socket, a page looked at or a token given out a moment ago, a chat that goes on: each tells of somebody who is there. */
const isHere = async (scope: OrganizationScope, customerId: string): Promise<boolean> => {
  const now = scope.now();
  const since = new Date(now.getTime() - SESSION_MS);
  const visit = await findLastVisit(scope, customerId);
  if (visit && (visit.lastSeenAt >= since || (visit.onlineUntil ?? 0) > now)) return true;
  const token = await scope
    .from('customerTokens')
    .where('customerId', '=', customerId)
    .where('createdAt', '>=', since)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return token !== undefined || hasActiveChat(scope, customerId);
};

export interface PredictedAgent {
  login: string;
  name: string;
  avatar: string;
  jobTitle: string;
  isBot: boolean;
  /** A chat would have to wait for this agent. */
  queue: boolean;
}

/** Who answers next, and whether at once. When nobody has room it is who will most likely have some first. */
const findNext = (floor: Floor, groupId: number): { agentId: string; queue: boolean } | undefined => {
  const asking = { groupIds: [groupId], botDone: false };
  const now = choose(floor, asking);
  if (now) return { agentId: now.agentId, queue: false };
  const { bots, people } = acceptingOn(floor, asking);
  const able = [...bots, ...people].map(toCandidate).filter(({ limit }) => limit > 0);
  const [soonest] = able.sort(compareLoad);
  return soonest && { agentId: soonest.agentId, queue: true };
};

/** Who would answer if the customer started a chat now. */
export const predictAgent = async (
  scope: OrganizationScope,
  { groupId = ALL_AGENTS }: { groupId?: number | undefined },
): Promise<PredictedAgent> => {
  const customer = requireCustomer(scope.actor);
  if (!(await isHere(scope, customer.id))) throw new DomainError('forbidden', 'The customer is not logged in');
  const floor = await readFloor(scope, { queue: false });
  if (!floor.groups.some(({ id }) => id === groupId)) throw new DomainError('group_not_found', 'Group not found');
  const next = findNext(floor, groupId);
  if (next) {
    const agent = await scope
      .from('agents')
      .where('id', '=', next.agentId)
      .select(['id as login', 'name', 'avatar', 'jobTitle', 'kind'])
      .executeTakeFirstOrThrow();
    const { kind, ...shown } = agent;
    return { ...shown, isBot: kind === 'bot', queue: next.queue };
  }
  // Somebody may be there and take chats, but none at all at once.
  if (statusOf(floor, [groupId]) !== 'offline')
    throw new DomainError('group_unavailable', 'No agent available for group');
  throw new DomainError('group_offline', 'Group is offline');
};
