import type { AgentStatus } from '#server/storage/tables/agents.ts';
import { DomainError, notFound } from '../errors.ts';
import { isLicenceEnded } from '../licences/licence-status.ts';
import { reassignChats } from '../routing/reassign-chats.ts';
import { rerouting } from '../routing/reroute.ts';
import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';

/** Why an agent's status changed, as the history keeps it. */
export type StatusReason =
  | 'manual'
  | 'signed_in'
  | 'signed_out'
  | 'remotely_signed_out'
  | 'disconnected'
  | 'deleted'
  | 'schedule'
  | 'licence_ended';

type OfflineReason = Extract<StatusReason, 'signed_out' | 'remotely_signed_out' | 'disconnected' | 'deleted'>;

/** Nobody goes offline without somebody or something that made it so. */
export type StatusChange = { agentId: string } & (
  | { status: 'offline'; reason: OfflineReason }
  | { status: Exclude<AgentStatus, 'offline'>; reason: Exclude<StatusReason, OfflineReason> }
);

type Tx = Transaction<OrganizationScope>;

/** Kept for years: reports of availability are made from it. */
export const noteStatus = (tx: Tx, { agentId, status, reason }: StatusChange) =>
  tx.insert('agentStatusChanges', { agentId, status, reason, changedAt: tx.now() }).execute();

const write = (tx: Tx, { agentId, status }: StatusChange) =>
  tx
    .update('agents')
    .where('id', '=', agentId)
    .set({
      status,
      ...(status === 'offline' ? { lastLogoutAt: tx.now(), goneSince: null } : {}),
    })
    .execute();

/**
 * The one way in which a status changes: it is kept, announced, and felt by groups, chats and the queue at once. Says
 * whether it was another one before.
 */
export const changeStatus = async (tx: Tx, change: StatusChange): Promise<boolean> => {
  const { agentId, status } = change;
  await takeTurn(tx);
  const agent = await tx
    .from('agents')
    .where('id', '=', agentId)
    .where('deletedAt', 'is', null)
    .select('status')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!agent) throw notFound('Agent');
  if (status === 'accepting chats' && (await isLicenceEnded(tx)))
    throw new DomainError('licence_expired', 'License expired');
  if (agent.status === status) return false;
  await noteStatus(tx, change);
  tx.emit({ type: 'agent_status_set', organizationId: tx.organizationId, agentId, status });
  await rerouting(tx, () => write(tx, change));
  if (change.status === 'offline') await reassignChats(tx, agentId, change.reason);
  return true;
};
