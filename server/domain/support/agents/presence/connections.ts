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
import { holdAgent } from '../profile/hold-agent.ts';
import { changeStatus } from './change-status.ts';

type Tx = Transaction<OrganizationScope>;

/** A process says this often that its sockets are open; one that died is believed as long as an agent may be gone. */
export const GONE_MS = 30_000;

const aliveUntil = (now: Date): Date => new Date(now.getTime() + GONE_MS);

const living = (scope: OrganizationScope, agentId: string) =>
  scope.from('agentConnections').where('agentId', '=', agentId).where('aliveUntil', '>', scope.now());

/** Whether the agent has an open socket, in whichever process. */
export const isConnected = async (scope: OrganizationScope, agentId: string): Promise<boolean> =>
  (await living(scope, agentId).select('id').limit(1).executeTakeFirst()) !== undefined;

/** An agent is away when it is at each of its sockets. Its status stays, but no chats come. */
export const weighAway = async (tx: Tx, agentId: string): Promise<void> => {
  const { away } = await living(tx, agentId)
    .select((eb) => eb.fn.agg<boolean | null>('bool_and', ['away']).as('away'))
    .executeTakeFirstOrThrow();
  const agent = await tx.from('agents').where('id', '=', agentId).select('away').executeTakeFirstOrThrow();
  if (away === null || away === agent.away) return;
  await withRerouting(tx, () => tx.update('agents').where('id', '=', agentId).set({ away }).execute());
};

/** What it was before the agent was lost; whoever went on purpose stays away. */
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

export interface Arrival {
  connectionId: string;
  away: boolean;
  /** The same agent comes back and goes on as before. */
  reconnect: boolean;
  timezone?: string | undefined;
}

const statusOnArrival = async (
  tx: Tx,
  { id, status, loginStatus, onShift }: Selectable<AgentsTable>,
  { away, reconnect }: Arrival,
): Promise<AgentStatus> => {
  if (status !== 'offline' || away) return status;
  const wanted = reconnect ? await statusBefore(tx, id) : loginStatus;
  const mayAccept = onShift !== false && !(await isLicenseEnded(tx));
  return wanted === 'accepting chats' && !mayAccept ? 'not accepting chats' : wanted;
};

/** The agent opened a socket. Whoever was offline gets the status that it wants after a login. */
export const arriveAgent = (scope: OrganizationScope, arrival: Arrival): Promise<void> => {
  const { id: agentId } = requireAgent(scope.actor);
  const { connectionId, away, timezone } = arrival;
  return scope.transaction(async (tx) => {
    const agent = await holdAgent(tx, agentId);
    const now = tx.now();
    await tx
      .insert('agentConnections', { id: connectionId, agentId, away, connectedAt: now, aliveUntil: aliveUntil(now) })
      .onConflict((conflict) =>
        conflict.columns(['organizationId', 'id']).doUpdateSet({ away, aliveUntil: aliveUntil(now) }),
      )
      .execute();
    const zone = agent.timezone ?? (timezone && isTimeZone(timezone) ? timezone : null);
    await tx.update('agents').where('id', '=', agentId).set({ goneSince: null, timezone: zone }).execute();
    await weighAway(tx, agentId);
    const status = await statusOnArrival(tx, agent, arrival);
    if (status !== agent.status && status !== 'offline')
      await changeStatus(tx, { agentId, status, reason: 'signed_in' });
  });
};

/** A socket is gone. Says who has none left by that, if so. */
export const removeConnection = async (tx: Tx, connectionId: string): Promise<string | undefined> => {
  await lockOrganization(tx);
  const gone = await tx
    .remove('agentConnections')
    .where('id', '=', connectionId)
    .returning('agentId')
    .executeTakeFirst();
  if (!gone) return undefined;
  if (!(await isConnected(tx, gone.agentId))) return gone.agentId;
  await weighAway(tx, gone.agentId);
  return undefined;
};

/** A socket was closed. Whoever has no other may come back within half a minute, and nobody notices. */
export const departAgent = (scope: OrganizationScope, { connectionId }: { connectionId: string }): Promise<void> =>
  scope.transaction(async (tx) => {
    const agentId = await removeConnection(tx, connectionId);
    if (agentId !== undefined)
      await tx.update('agents').where('id', '=', agentId).set({ goneSince: tx.now() }).execute();
  });

/** Whoever sits at this socket went away from it, or came back. */
export const setAway = (
  scope: OrganizationScope,
  { connectionId, away }: { connectionId: string; away: boolean },
): Promise<void> => {
  const { id: agentId } = requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    await holdAgent(tx, agentId);
    await tx
      .update('agentConnections')
      .where('id', '=', connectionId)
      .where('agentId', '=', agentId)
      .set({ away })
      .execute();
    await weighAway(tx, agentId);
  });
};

/** These sockets of a process are still open. Returns those that nobody knows of any more. */
export const keepConnections = async <C extends { organizationId: string; connectionId: string }>(
  executor: Executor,
  connections: C[],
  now: Date,
): Promise<C[]> => {
  const kept = new Set(await keepConnectionsAlive(executor, connections, aliveUntil(now)));
  return connections.filter(({ connectionId }) => !kept.has(connectionId));
};
