import type { Visibility } from '#server/storage/tables/chats.ts';
import { requireAdministrator } from '../access.ts';
import { DomainError } from '../errors.ts';
import { reassignChats } from '../routing/reassign-chats.ts';
import { aboutChat } from '../routing/reroute.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import { changeStatus } from './change-status.ts';
import { holdPerson } from './hold-person.ts';
import { sendFarewell } from './letters.ts';

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

/** Chats that others answer lose it as well. */
const leaveChats = async (tx: Tx, agentId: string): Promise<void> => {
  const values = [tx.organizationId, agentId];
  const { rows } = await tx.executor.query<LeftChat>({ name: 'leave_chats', text: LEAVE, values });
  for (const { visibility, ...chat } of rows) {
    const user = { kind: 'agent', id: agentId } as const;
    tx.emit({ type: 'user_removed', ...aboutChat(tx, chat), user, visibility, reason: 'other' });
  }
};

/**
 * Its open chats go to others, and what it wrote stays under its name. Its credentials are void and its sockets end at
 * once. The row stays, so that a login that comes back finds it.
 */
export const deleteAgent = async (scope: OrganizationScope, { login }: { login: string }): Promise<void> => {
  requireAdministrator(scope.actor);
  await scope.transaction(async (tx) => {
    const { id, permission } = await holdPerson(tx, login);
    if (permission === 'owner') throw new DomainError('forbidden', 'The owner cannot be deleted');
    const wasOffline = !(await changeStatus(tx, { agentId: id, status: 'offline', reason: 'deleted' }));
    if (wasOffline) await reassignChats(tx, id, 'deleted');
    await leaveChats(tx, id);
    const gone = { deletedAt: tx.now(), passwordHash: null, shiftEndsAt: null };
    await tx.update('agents').where('id', '=', id).set(gone).execute();
    for (const table of ['agentGroups', 'agentConnections', 'chatFollowers', 'customerFollowers'] as const)
      await tx.remove(table).where('agentId', '=', id).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    await sendFarewell(tx, id);
  });
};
