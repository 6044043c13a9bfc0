import type { Visibility } from '#server/storage/tables/chats.ts';
import { revokeEmailTokens } from '../../../accounts/agents/email-tokens.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { toChatRef } from '../../routing/reroute.ts';
import { releaseTickets } from '../../tickets/release-tickets.ts';
import { changeStatus } from '../presence/change-status.ts';

type Tx = Transaction<OrganizationScope>;

interface LeftChat {
  chatId: string;
  threadId: string;
  customerId: string;
  groupIds: number[];
  visibility: Visibility;
}

const LEAVE = `
update chat_users u set present = false
from chats c
where c.organization_id = $1 and c.id = u.chat_id and c.active
  and u.organization_id = $1 and u.kind = 'agent' and u.user_id = $2 and u.present
returning c.id as "chatId", c.last_thread_id as "threadId", c.customer_id as "customerId", c.group_ids as "groupIds",
  u.visibility`;

/** The agent also leaves chats that are assigned to others. */
const leaveChats = async (tx: Tx, agentId: string): Promise<void> => {
  const values = [tx.organizationId, agentId];
  const { rows } = await tx.executor.query<LeftChat>({ name: 'leave_chats', text: LEAVE, values });
  for (const { visibility, ...chat } of rows) {
    const user = { kind: 'agent', id: agentId } as const;
    tx.emit({ type: 'user_removed', ...toChatRef(tx, chat), user, visibility, reason: 'other' });
  }
};

/** Credentials of the agent, which must not become valid again if the login is reused. */
const CREDENTIALS = ['agentSessions', 'agentTwoFactor', 'agentRecoveryCodes', 'oauthCodes', 'oauthTokens'] as const;
const RELATIONS = ['agentGroups', 'agentConnections', 'chatFollowers', 'customerFollowers'] as const;

/**
 * Deletes a person or bot: open chats are reassigned, open tickets become unassigned, and everything the agent wrote
 * stays. Credentials are revoked and sockets are closed. The row is kept, so that the login can be added again.
 */
export const retireAgent = async (tx: Tx, agentId: string): Promise<void> => {
  await changeStatus(tx, { agentId, status: 'offline', reason: 'deleted' });
  await leaveChats(tx, agentId);
  await releaseTickets(tx, agentId);
  const fields = { deletedAt: tx.now(), passwordHash: null, shiftEndsAt: null };
  await tx.update('agents').where('id', '=', agentId).set(fields).execute();
  for (const table of [...RELATIONS, ...CREDENTIALS]) await tx.remove(table).where('agentId', '=', agentId).execute();
  await revokeEmailTokens(tx, agentId);
  tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
};
