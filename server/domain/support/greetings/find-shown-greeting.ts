import type { Properties } from '#server/storage/tables/chats.ts';
import { requireCustomer } from '../../access.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { hasActiveChat } from '../customers/lock-customer.ts';
import { findCurrentVisit } from '../visits/current-visit.ts';
import type { ShownGreeting } from './records.ts';

/** The greeting that is displayed to the customer: shown in this visit, not canceled, and not followed by a chat. */
export const findShownGreeting = async (scope: OrganizationScope): Promise<ShownGreeting | undefined> => {
  const { id: customerId } = requireCustomer(scope.actor);
  const visit = await findCurrentVisit(scope, customerId);
  if (!visit || (await hasActiveChat(scope, customerId))) return undefined;
  const row = await scope
    .from('greetingDisplays')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.organizationId', '=', 'greetingDisplays.organizationId')
        .onRef('agents.id', '=', 'greetingDisplays.agentId'),
    )
    .where('visitId', '=', visit.id)
    .where('canceledAt', 'is', null)
    .where('chattedAt', 'is', null)
    .orderBy('displayedAt', 'desc')
    .limit(1)
    .select(['greetingDisplays.id', 'greetingId', 'message', 'displayedAt', 'acceptedAt'])
    .select(['agents.id as login', 'name', 'avatar', 'jobTitle', 'kind'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { id: uniqueId, greetingId, message, displayedAt, acceptedAt, ...agent } = row;
  return {
    ...{ uniqueId, greetingId, message, displayedAt, agent },
    ...{ accepted: acceptedAt !== null, firstTime: false },
  };
};

/**
 * When a chat starts, returns the properties that refer to the greeting accepted in this visit. A greeting leads to one
 * chat.
 */
export const claimGreeting = async (
  tx: Transaction<OrganizationScope>,
  customerId: string,
): Promise<Properties[string] | undefined> => {
  const visit = await findCurrentVisit(tx, customerId);
  if (!visit) return undefined;
  const last = tx
    .from('greetingDisplays')
    .where('visitId', '=', visit.id)
    .where('acceptedAt', 'is not', null)
    .where('canceledAt', 'is', null)
    .where('chattedAt', 'is', null)
    .orderBy('acceptedAt', 'desc')
    .limit(1)
    .select('greetingDisplays.id');
  const claimed = await tx
    .update('greetingDisplays')
    .where('id', '=', last)
    .set({ chattedAt: tx.now() })
    .returning(['id', 'greetingId'])
    .executeTakeFirst();
  return claimed && { greeting_id: claimed.greetingId, greeting_unique_id: claimed.id };
};
