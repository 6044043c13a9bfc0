import { newApiKey } from '../../../accounts/agents/create-agent.ts';
import { requireInPerson } from '../../../accounts/oauth/scopes.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { mayDecideAbout } from '../presence/set-status.ts';
import type { AgentRecord } from '../records.ts';
import { holdAgent } from './hold-agent.ts';
import { getAgent } from './list-agents.ts';

/** Another key; the one before is void at once. Only the agent itself gets to see it, and only the owner resets its own. */
export const resetApiKey = async (scope: OrganizationScope, { login }: { login: string }): Promise<AgentRecord> => {
  requireInPerson(scope.actor);
  const own = mayDecideAbout(scope, login.toLowerCase());
  return scope.transaction(async (tx) => {
    const { id, permission } = await holdAgent(tx, login, 'person');
    if (permission === 'owner' && !own) throw new DomainError('forbidden', 'Only the owner may reset its own API key');
    const { apiKeyHash, apiKeySealed } = newApiKey(tx);
    await tx.update('agents').where('id', '=', id).set({ apiKeyHash, apiKeySealed }).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return getAgent(tx, { login: id });
  });
};
