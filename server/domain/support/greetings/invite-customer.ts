import { requireAgent } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { findVisitor } from '../customers/find-visitor.ts';
import { hasActiveChat, lockCustomer } from '../customers/lock-customer.ts';
import { findCurrentVisit } from '../visits/current-visit.ts';
import { display, hasOpenGreeting } from './greet-visitor.ts';
import type { ShownGreeting } from './records.ts';

const getInvitation = async (scope: OrganizationScope, greetingId: number) => {
  const greeting = await scope
    .from('greetings')
    .where('id', '=', greetingId)
    .where('deletedAt', 'is', null)
    .select(['id', 'message'])
    .executeTakeFirst();
  if (!greeting) throw new DomainError('greeting_not_found', 'Greeting not found');
  if (greeting.message === '') throw invalid('greetingId', 'must be a greeting with a message');
  return greeting;
};

/** Shows a greeting to a visitor on behalf of the agent, regardless of its rules and whether it is active. */
export const inviteCustomer = async (
  scope: OrganizationScope,
  { customerId: visitorId, greetingId }: { customerId: string; greetingId: number },
): Promise<ShownGreeting> => {
  const { id: login } = requireAgent(scope.actor);
  const customerId = await findVisitor(scope, visitorId);
  return scope.transaction(async (tx) => {
    const greeting = await getInvitation(tx, greetingId);
    await lockCustomer(tx, customerId);
    const visit = await findCurrentVisit(tx, customerId);
    if (!visit || visit.endedAt) throw new DomainError('conflict', 'The customer is not on the site');
    if (await hasActiveChat(tx, customerId)) throw new DomainError('chat_active', 'The customer is already in a chat');
    if (await hasOpenGreeting(tx, visit.id)) throw new DomainError('conflict', 'Another greeting is already displayed');
    const agent = await tx
      .from('agents')
      .where('id', '=', login)
      .select(['id as login', 'name', 'avatar', 'jobTitle', 'kind'])
      .executeTakeFirstOrThrow();
    const shown = await display(tx, visit, greeting, agent);
    if (!shown) throw new DomainError('conflict', 'This greeting was already shown in this visit');
    return shown;
  });
};
