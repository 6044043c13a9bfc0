import { requireCustomer } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { hasActiveChat } from '../customers/lock-customer.ts';
import { findLastVisit } from '../visits/current-visit.ts';
import { acceptingAgents, chooseAgent, combinedStatus, toCandidate } from './candidates.ts';
import { compareLoad } from './choose-least-busy.ts';
import { loadRoutingSnapshot, type RoutingSnapshot } from './routing-snapshot.ts';

const SESSION_MS = 60_000;

/**
 * A customer is logged in while a socket is open, within a minute of viewing a page or getting a token, or during a
 * chat.
 */
const hasActiveSession = async (scope: OrganizationScope, customerId: string): Promise<boolean> => {
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
  /** Whether the chat would have to wait for this agent. */
  queue: boolean;
}

/**
 * Predicts the agent and whether the chat would be queued. When no agent has room, it is the one with the lowest
 * relative load.
 */
const predictNext = (snapshot: RoutingSnapshot, groupId: number): { agentId: string; queue: boolean } | undefined => {
  const request = { groupIds: [groupId], botAnswered: false };
  const available = chooseAgent(snapshot, request);
  if (available) return { agentId: available.agentId, queue: false };
  const { bots, people } = acceptingAgents(snapshot, request);
  const withLimit = [...bots, ...people].map(toCandidate).filter(({ limit }) => limit > 0);
  const [soonest] = withLimit.sort(compareLoad);
  return soonest && { agentId: soonest.agentId, queue: true };
};

/** Predicts which agent would get a chat that the customer started now. */
export const predictAgent = async (
  scope: OrganizationScope,
  { groupId = ALL_AGENTS }: { groupId?: number | undefined },
): Promise<PredictedAgent> => {
  const customer = requireCustomer(scope.actor);
  if (!(await hasActiveSession(scope, customer.id)))
    throw new DomainError('forbidden', 'The customer is not logged in');
  const snapshot = await loadRoutingSnapshot(scope, { queue: false });
  if (!snapshot.groups.some(({ id }) => id === groupId)) throw new DomainError('group_not_found', 'Group not found');
  const next = predictNext(snapshot, groupId);
  if (next) {
    const agent = await scope
      .from('agents')
      .where('id', '=', next.agentId)
      .select(['id as login', 'name', 'avatar', 'jobTitle', 'kind'])
      .executeTakeFirstOrThrow();
    const { kind, ...shown } = agent;
    return { ...shown, isBot: kind === 'bot', queue: next.queue };
  }
  // Agents may accept chats while the limit of each is zero.
  if (combinedStatus(snapshot, [groupId]) !== 'offline')
    throw new DomainError('group_unavailable', 'No agent available for group');
  throw new DomainError('group_offline', 'Group is offline');
};
