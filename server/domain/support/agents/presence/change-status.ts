import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { isLicenseEnded } from '../../../accounts/licenses/license-status.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { reassignChats } from '../../routing/reassign-chats.ts';
import { withRerouting } from '../../routing/reroute.ts';
import { lockAgent } from '../profile/lock-agent.ts';

/** Why an agent's status changed, as stored in the history. */
export type StatusReason =
  | 'manual'
  | 'signed_in'
  | 'signed_out'
  | 'remotely_signed_out'
  | 'disconnected'
  | 'deleted'
  | 'schedule'
  | 'license_ended';

type OfflineReason = Extract<StatusReason, 'signed_out' | 'remotely_signed_out' | 'disconnected' | 'deleted'>;

/** Each status has its own set of reasons. */
export type StatusChange = { agentId: string } & (
  | { status: 'offline'; reason: OfflineReason }
  | { status: Exclude<AgentStatus, 'offline'>; reason: Exclude<StatusReason, OfflineReason> }
);

type Tx = Transaction<OrganizationScope>;

/** Stored for years, since availability reports are computed from it. */
export const recordStatus = (tx: Tx, ...changes: StatusChange[]) =>
  tx
    .insert(
      'agentStatusChanges',
      changes.map(({ agentId, status, reason }) => ({ agentId, status, reason, changedAt: tx.now() })),
    )
    .execute();

/** Records and publishes the changes. */
export const announceStatuses = async (tx: Tx, changes: StatusChange[]): Promise<void> => {
  await recordStatus(tx, ...changes);
  for (const { agentId, status } of changes)
    tx.emit({ type: 'agent_status_set', organizationId: tx.organizationId, agentId, status });
};

const write = (tx: Tx, { agentId, status }: StatusChange) =>
  tx
    .update('agents')
    .where('id', '=', agentId)
    .set({
      status,
      ...(status === 'offline' ? { lastLogoutAt: tx.now(), disconnectedAt: null } : {}),
    })
    .execute();

/**
 * Every status change goes through here: it is recorded and published, and chats and queue are rerouted. Returns
 * whether the status changed. Agents who are already offline may still have chats, which are reassigned too.
 */
export const changeStatus = async (tx: Tx, change: StatusChange): Promise<boolean> => {
  const { agentId, status } = change;
  const agent = await lockAgent(tx, agentId);
  if (status === 'accepting chats' && (await isLicenseEnded(tx)))
    throw new DomainError('license_expired', 'License expired');
  const hasChanged = agent.status !== status;
  if (hasChanged) {
    await announceStatuses(tx, [change]);
    await withRerouting(tx, () => write(tx, change));
  }
  if (change.status === 'offline') await reassignChats(tx, agentId, change.reason);
  return hasChanged;
};
