import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { requireAdministrator } from '../../../access.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { isConnected } from './connections.ts';

/** Agents may manage themselves, administrators everyone. Returns whether it is the caller. */
export const requireSelfOrAdministrator = ({ actor }: OrganizationScope, login: string): boolean => {
  const own = actor.kind === 'agent' && actor.id === login;
  if (!own) requireAdministrator(actor);
  return own;
};

/** Sets an agent's status. Without an open socket it stays until it is set again. */
export const setAgentStatus = (
  scope: OrganizationScope,
  { login, status }: { login: string; status: AgentStatus },
): Promise<void> => {
  const agentId = login.toLowerCase();
  const own = requireSelfOrAdministrator(scope, agentId);
  const change: StatusChange =
    status === 'offline'
      ? { agentId, status, reason: own ? 'signed_out' : 'remotely_signed_out' }
      : { agentId, status, reason: 'manual' };
  return scope.transaction(async (tx) => {
    await lockOrganization(tx);
    // The status was set after the last socket was gone, so the disconnect timer must not revert it, and away does not
    // apply.
    if (!(await isConnected(tx, agentId))) {
      await tx.remove('agentConnections').where('agentId', '=', agentId).execute();
      await tx.update('agents').where('id', '=', agentId).set({ disconnectedAt: null, away: false }).execute();
    }
    await changeStatus(tx, change);
  });
};
