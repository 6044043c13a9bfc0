import { requireAgent } from '../../../access.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { changeStatus, recordStatus } from '../presence/change-status.ts';
import { DISCONNECT_GRACE_MS, isConnected, removeConnection, updateAway } from '../presence/connections.ts';
import { requireSelfOrAdministrator } from '../presence/set-status.ts';

/** Signs out this socket. With the last one, the agent goes offline immediately. */
export const signOut = (scope: OrganizationScope, { connectionId }: { connectionId: string }): Promise<void> => {
  requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const agentId = await removeConnection(tx, connectionId);
    if (agentId !== undefined) await changeStatus(tx, { agentId, status: 'offline', reason: 'signed_out' });
  });
};

/** Closes all sockets of an agent in every process. */
export const signOutRemotely = (scope: OrganizationScope, { login }: { login: string }): Promise<void> => {
  const agentId = login.toLowerCase();
  requireSelfOrAdministrator(scope, agentId);
  return scope.transaction(async (tx) => {
    const change = { agentId, status: 'offline', reason: 'remotely_signed_out' } as const;
    // Recorded in any case, so that a process that missed the event finds it.
    if (!(await changeStatus(tx, change))) await recordStatus(tx, change);
    await tx.remove('agentConnections').where('agentId', '=', agentId).execute();
    tx.emit({ type: 'agent_signed_out', organizationId: tx.organizationId, agentId });
  });
};

/** Whether the agent was signed out remotely since then. */
export const wasSignedOut = async (scope: OrganizationScope, { since }: { since: Date }): Promise<boolean> =>
  (await scope
    .from('agentStatusChanges')
    .where('agentId', '=', requireAgent(scope.actor).id)
    .where('reason', '=', 'remotely_signed_out')
    .where('changedAt', '>=', since)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Sets an agent offline whose sockets are gone for longer than the grace period. */
export const handleDisconnectedAgent = (scope: OrganizationScope, { agentId }: { agentId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const now = tx.now();
    const expired = await tx
      .remove('agentConnections')
      .where('agentId', '=', agentId)
      .where('aliveUntil', '<=', now)
      .executeTakeFirstOrThrow();
    const agent = await tx
      .from('agents')
      .where('id', '=', agentId)
      .select(['disconnectedAt', 'deletedAt'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!agent) return;
    const isOnline = await isConnected(tx, agentId);
    const hasTimedOut =
      agent.disconnectedAt !== null && agent.disconnectedAt.getTime() <= now.getTime() - DISCONNECT_GRACE_MS;
    // Sockets that expired have not been extended for as long as the grace period.
    if (!isOnline && !hasTimedOut && expired.numDeletedRows === 0n) return;
    await tx.update('agents').where('id', '=', agentId).set({ disconnectedAt: null }).execute();
    if (isOnline) return updateAway(tx, agentId);
    if (agent.deletedAt === null) await changeStatus(tx, { agentId, status: 'offline', reason: 'disconnected' });
  });
