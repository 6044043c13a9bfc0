import { newApiKey } from '../../../accounts/agents/create-agent.ts';
import { rejectOauthTokens } from '../../../accounts/oauth/scopes.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { requireSelfOrAdministrator } from '../presence/set-status.ts';
import type { AgentRecord } from '../records.ts';
import { getAgent } from './list-agents.ts';
import { lockAgent } from './lock-agent.ts';

/**
 * Replaces the API key; the previous one stops working immediately. Only the agent can see the key, and only the owner
 * can reset the owner's key.
 */
export const resetApiKey = async (scope: OrganizationScope, { login }: { login: string }): Promise<AgentRecord> => {
  rejectOauthTokens(scope.actor);
  const own = requireSelfOrAdministrator(scope, login.toLowerCase());
  return scope.transaction(async (tx) => {
    const { id, permission } = await lockAgent(tx, login, 'person');
    if (permission === 'owner' && !own)
      throw new DomainError('forbidden', 'Only the owner can reset the API key of the owner');
    const { apiKeyHash, apiKeySealed } = newApiKey(tx);
    await tx.update('agents').where('id', '=', id).set({ apiKeyHash, apiKeySealed }).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return getAgent(tx, { login: id });
  });
};
