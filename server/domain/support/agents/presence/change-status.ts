import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { isLicenseEnded } from '../../../accounts/licenses/license-status.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { reassignChats } from '../../routing/reassign-chats.ts';
import { withRerouting } from '../../routing/reroute.ts';
import { holdAgent } from '../profile/hold-agent.ts';

/** Why an agent's status changed, as the history keeps it. */
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

/** Nobody goes offline without somebody or something that made it so. */
export type StatusChange = { agentId: string } & (
  | { status: 'offline'; reason: OfflineReason }
  | { status: Exclude<AgentStatus, 'offline'>; reason: Exclude<StatusReason, OfflineReason> }
);

type Tx = Transaction<OrganizationScope>;

/** Kept for years: reports of availability are made from it. */
export const noteStatus = (tx: Tx, ...changes: StatusChange[]) =>
  tx
    .insert(
      'agentStatusChanges',
      changes.map(({ agentId, status, reason }) => ({ agentId, status, reason, changedAt: tx.now() })),
    )
    .execute();

/** Kept, and told to whoever wants to know. */
export const announceStatuses = async (tx: Tx, changes: StatusChange[]): Promise<void> => {
  await noteStatus(tx, ...changes);
  for (const { agentId, status } of changes)
    tx.emit({ type: 'agent_status_set', organizationId: tx.organizationId, agentId, status });
};

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
 * whether it was another one before. Whoever is offline already may still answer chats, and loses them as well.
 */
export const changeStatus = async (tx: Tx, change: StatusChange): Promise<boolean> => {
  const { agentId, status } = change;
  const agent = await holdAgent(tx, agentId);
  if (status === 'accepting chats' && (await isLicenseEnded(tx)))
    throw new DomainError('license_expired', 'License expired');
  const isOther = agent.status !== status;
  if (isOther) {
    await announceStatuses(tx, [change]);
    await withRerouting(tx, () => write(tx, change));
  }
  if (change.status === 'offline') await reassignChats(tx, agentId, change.reason);
  return isOther;
};
