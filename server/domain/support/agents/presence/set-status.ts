import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { requireAdministrator } from '../../../access.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { changeStatus, type StatusChange } from './change-status.ts';
import { isConnected } from './connections.ts';

/** Agents decide about themselves, administrators about anybody. Says whether it is one's own. */
export const mayDecideAbout = ({ actor }: OrganizationScope, login: string): boolean => {
  const own = actor.kind === 'agent' && actor.id === login;
  if (!own) requireAdministrator(actor);
  return own;
};

/** Sets whether an agent takes chats now; without an open socket it holds until it is set again. */
export const setAgentStatus = (
  scope: OrganizationScope,
  { login: asked, status }: { login: string; status: AgentStatus },
): Promise<void> => {
  const agentId = asked.toLowerCase();
  const own = mayDecideAbout(scope, agentId);
  const change: StatusChange =
    status === 'offline'
      ? { agentId, status, reason: own ? 'signed_out' : 'remotely_signed_out' }
      : { agentId, status, reason: 'manual' };
  return scope.transaction(async (tx) => {
    await lockOrganization(tx);
    // Said after the last socket was gone, so it is not for us to take back; nor is anybody away who was never here.
    if (!(await isConnected(tx, agentId))) {
      await tx.remove('agentConnections').where('agentId', '=', agentId).execute();
      await tx.update('agents').where('id', '=', agentId).set({ goneSince: null, away: false }).execute();
    }
    await changeStatus(tx, change);
  });
};
