import { requireCustomer } from '../access.ts';
import { hasActiveChat } from '../customers/hold-customer.ts';
import { DomainError } from '../errors.ts';
import { ALL_AGENTS, areOnline, assertGroupsExist } from '../groups/online.ts';
import type { OrganizationScope } from '../scope.ts';
import { findLastVisit } from '../visits/current-visit.ts';
import { findNextAgent } from './next-agent.ts';

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
  /** A chat would have to wait for this agent. */
  queue: boolean;
}

/** Who would answer if the customer started a chat now. */
export const predictAgent = async (
  scope: OrganizationScope,
  { groupId = ALL_AGENTS }: { groupId?: number | undefined },
): Promise<PredictedAgent> => {
  const customer = requireCustomer(scope.actor);
  if (!(await isHere(scope, customer.id))) throw new DomainError('forbidden', 'The customer is not logged in');
  await assertGroupsExist(scope, [groupId]);
  const next = await findNextAgent(scope, [groupId]);
  if (next) {
    const { id: login, name, avatar, jobTitle, room } = next;
    return { login, name, avatar, jobTitle, queue: room === 0 };
  }
  // Somebody may be there and take chats, but none at all at once.
  if (await areOnline(scope, [groupId])) throw new DomainError('group_unavailable', 'No agent available for group');
  throw new DomainError('group_offline', 'Group is offline');
};
