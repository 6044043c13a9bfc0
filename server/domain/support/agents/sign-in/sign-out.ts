import { requireAgent } from '../../../access.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { changeStatus, noteStatus } from '../presence/change-status.ts';
import { GONE_MS, isConnected, removeConnection, weighAway } from '../presence/connections.ts';
import { mayDecideAbout } from '../presence/set-status.ts';

/** The agent leaves by this socket. With its last one it is offline at once. */
export const signOut = (scope: OrganizationScope, { connectionId }: { connectionId: string }): Promise<void> => {
  requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const agentId = await removeConnection(tx, connectionId);
    if (agentId !== undefined) await changeStatus(tx, { agentId, status: 'offline', reason: 'signed_out' });
  });
};

/** Ends all sockets of an agent, in every process. */
export const signOutRemotely = (scope: OrganizationScope, { login }: { login: string }): Promise<void> => {
  const agentId = login.toLowerCase();
  mayDecideAbout(scope, agentId);
  return scope.transaction(async (tx) => {
    const change = { agentId, status: 'offline', reason: 'remotely_signed_out' } as const;
    // Noted in any case: a process that missed the word finds it here.
    if (!(await changeStatus(tx, change))) await noteStatus(tx, change);
    await tx.remove('agentConnections').where('agentId', '=', agentId).execute();
    tx.emit({ type: 'agent_signed_out', organizationId: tx.organizationId, agentId });
  });
};

/** Whether somebody ended this agent's sockets after one of them was opened. */
export const wasSignedOut = async (scope: OrganizationScope, { since }: { since: Date }): Promise<boolean> =>
  (await scope
    .from('agentStatusChanges')
    .where('agentId', '=', requireAgent(scope.actor).id)
    .where('reason', '=', 'remotely_signed_out')
    .where('changedAt', '>=', since)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Looks whether an agent is gone for good, and if so takes it off the floor. */
export const settleGone = (scope: OrganizationScope, { agentId }: { agentId: string }): Promise<void> =>
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
      .select(['goneSince', 'deletedAt'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!agent) return;
    const isHere = await isConnected(tx, agentId);
    const isGone = agent.goneSince !== null && agent.goneSince.getTime() <= now.getTime() - GONE_MS;
    // Whose sockets ran out by themselves was not heard of for as long.
    if (!isHere && !isGone && expired.numDeletedRows === 0n) return;
    await tx.update('agents').where('id', '=', agentId).set({ goneSince: null }).execute();
    if (isHere) return weighAway(tx, agentId);
    if (agent.deletedAt === null) await changeStatus(tx, { agentId, status: 'offline', reason: 'disconnected' });
  });
