import type { Selectable } from 'kysely';
import type { Executor } from '#server/storage/executor.ts';
import { keepConnectionsAlive } from '#server/storage/platform-timers.ts';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import { requireAgent } from '../../../access.ts';
import { isLicenseEnded } from '../../../accounts/licenses/license-status.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { isTimeZone } from '../../../time-zones.ts';
import { withRerouting } from '../../routing/reroute.ts';
import { lockAgent } from '../profile/lock-agent.ts';
import { changeStatus } from './change-status.ts';

type Tx = Transaction<OrganizationScope>;

/**
 * How long an agent may be without a socket before going offline. Processes extend their sockets within this time, so
 * the sockets of a crashed process expire with it.
 */
export const DISCONNECT_GRACE_MS = 30_000;

const aliveUntil = (now: Date): Date => new Date(now.getTime() + DISCONNECT_GRACE_MS);

const openConnections = (scope: OrganizationScope, agentId: string) =>
  scope.from('agentConnections').where('agentId', '=', agentId).where('aliveUntil', '>', scope.now());

/** Whether the agent has an open socket in any process. */
export const isConnected = async (scope: OrganizationScope, agentId: string): Promise<boolean> =>
  (await openConnections(scope, agentId).select('id').limit(1).executeTakeFirst()) !== undefined;

/** An agent is away when all of its sockets are. The status stays, but no chats are assigned. */
export const updateAway = async (tx: Tx, agentId: string): Promise<void> => {
  const { away } = await openConnections(tx, agentId)
    .select((eb) => eb.fn.agg<boolean | null>('bool_and', ['away']).as('away'))
    .executeTakeFirstOrThrow();
  const agent = await tx.from('agents').where('id', '=', agentId).select('away').executeTakeFirstOrThrow();
  if (away === null || away === agent.away) return;
  await withRerouting(tx, () => tx.update('agents').where('id', '=', agentId).set({ away }).execute());
};

/** The status before the connection was lost; agents who signed out stay offline. */
const statusBefore = async (tx: Tx, agentId: string): Promise<AgentStatus> => {
  const [last, before] = await tx
    .from('agentStatusChanges')
    .where('agentId', '=', agentId)
    .orderBy('changedAt', 'desc')
    .orderBy('id', 'desc')
    .select(['status', 'reason'])
    .limit(2)
    .execute();
  return last?.reason === 'disconnected' && before ? before.status : 'offline';
};

export interface AgentConnection {
  connectionId: string;
  away: boolean;
  /** Whether the agent reconnects and continues as before. */
  reconnect: boolean;
  timezone?: string | undefined;
}

const statusOnConnect = async (
  tx: Tx,
  { id, status, loginStatus, onShift }: Selectable<AgentsTable>,
  { away, reconnect }: AgentConnection,
): Promise<AgentStatus> => {
  if (status !== 'offline' || away) return status;
  const nextStatus = reconnect ? await statusBefore(tx, id) : loginStatus;
  const canAccept = onShift !== false && !(await isLicenseEnded(tx));
  return nextStatus === 'accepting chats' && !canAccept ? 'not accepting chats' : nextStatus;
};

/** Registers an open socket. An agent who was offline gets the configured login status. */
export const connectAgent = (scope: OrganizationScope, connection: AgentConnection): Promise<void> => {
  const { id: agentId } = requireAgent(scope.actor);
  const { connectionId, away, timezone } = connection;
  return scope.transaction(async (tx) => {
    const agent = await lockAgent(tx, agentId);
    const now = tx.now();
    await tx
      .insert('agentConnections', { id: connectionId, agentId, away, connectedAt: now, aliveUntil: aliveUntil(now) })
      .onConflict((conflict) =>
        conflict.columns(['organizationId', 'id']).doUpdateSet({ away, aliveUntil: aliveUntil(now) }),
      )
      .execute();
    const zone = agent.timezone ?? (timezone && isTimeZone(timezone) ? timezone : null);
    await tx.update('agents').where('id', '=', agentId).set({ disconnectedAt: null, timezone: zone }).execute();
    await updateAway(tx, agentId);
    const status = await statusOnConnect(tx, agent, connection);
    if (status !== agent.status && status !== 'offline')
      await changeStatus(tx, { agentId, status, reason: 'signed_in' });
  });
};

/** Removes a socket. Returns the agent if it was their last one. */
export const removeConnection = async (tx: Tx, connectionId: string): Promise<string | undefined> => {
  await lockOrganization(tx);
  const removed = await tx
    .remove('agentConnections')
    .where('id', '=', connectionId)
    .returning('agentId')
    .executeTakeFirst();
  if (!removed) return undefined;
  if (!(await isConnected(tx, removed.agentId))) return removed.agentId;
  await updateAway(tx, removed.agentId);
  return undefined;
};

/** Removes a closed socket. An agent without another socket can reconnect within the grace period unnoticed. */
export const disconnectAgent = (scope: OrganizationScope, { connectionId }: { connectionId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    const agentId = await removeConnection(tx, connectionId);
    if (agentId !== undefined)
      await tx.update('agents').where('id', '=', agentId).set({ disconnectedAt: tx.now() }).execute();
  });

/** Marks this socket as away or back. */
export const setAway = (
  scope: OrganizationScope,
  { connectionId, away }: { connectionId: string; away: boolean },
): Promise<void> => {
  const { id: agentId } = requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    await tx
      .update('agentConnections')
      .where('id', '=', connectionId)
      .where('agentId', '=', agentId)
      .set({ away })
      .execute();
    await updateAway(tx, agentId);
  });
};

/** Extends the open sockets of a process. Returns those that are no longer registered. */
export const extendConnections = async <C extends { organizationId: string; connectionId: string }>(
  executor: Executor,
  connections: C[],
  now: Date,
): Promise<C[]> => {
  const extended = new Set(await keepConnectionsAlive(executor, connections, aliveUntil(now)));
  return connections.filter(({ connectionId }) => !extended.has(connectionId));
};
