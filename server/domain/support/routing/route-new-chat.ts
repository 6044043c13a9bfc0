import { DomainError } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { combinedStatus } from './candidates.ts';
import type { QueuePosition } from './records.ts';
import { reroute } from './reroute.ts';
import { loadRoutingSnapshotForUpdate, withQueued } from './routing-snapshot.ts';
import { type AssignableChat, toQueuedChat } from './set-assignee.ts';

/**
 * Assigns a new chat to an agent with room, or queues it and returns its position. When no agent is online, only a
 * continuous chat may start, because it can wait for days.
 */
export const routeNewChat = async (
  tx: Transaction<OrganizationScope>,
  chat: AssignableChat,
  { mustBeOnline }: { mustBeOnline: boolean },
): Promise<QueuePosition | undefined> => {
  const before = await loadRoutingSnapshotForUpdate(tx);
  if (mustBeOnline && combinedStatus(before, chat.groupIds) === 'offline')
    throw new DomainError('groups_offline', 'Groups offline');
  const { positions } = await reroute(tx, before, withQueued(before, [toQueuedChat(tx, chat)]));
  return positions.get(chat.id);
};
