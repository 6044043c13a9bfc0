import { requireAgent, visibleGroups } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';

const IS_HIDDEN = `
select c.cookie_secret_hash is not null or exists (
  select from chats k where k.organization_id = $1 and k.customer_id = $2 and not k.group_ids && $3::int[]
    and not exists (
      select from chat_users u where u.organization_id = $1 and u.chat_id = k.id and u.kind = 'agent'
        and u.user_id = $4 and u.present)) as hidden
from customers c where c.organization_id = $1 and c.id = $2`;

/**
 * Whether the agent's credential allows a program to act as this customer, which includes reading all chats of the
 * customer. Owners and administrators may act for everyone. Other agents and bots may act for customers without a
 * browser identity, if the agent can see all their chats.
 */
export const canActFor = async (scope: OrganizationScope, customerId: string): Promise<boolean> => {
  const agent = requireAgent(scope.actor);
  const groups = visibleGroups(agent);
  if (groups === undefined) return true;
  const values = [scope.organizationId, customerId, groups, agent.id];
  const { rows } = await scope.executor.query<{ hidden: boolean }>({ text: IS_HIDDEN, values });
  return rows[0]?.hidden === false;
};
