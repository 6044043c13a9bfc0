import { DomainError } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { statusOf } from './candidates.ts';
import { openFloor, withWaiting } from './floor.ts';
import type { QueuePlace } from './records.ts';
import { reroute } from './reroute.ts';
import { type AssignableChat, toWaiting } from './set-assignee.ts';

/**
 * Gives a chat that has just begun to an agent with room; otherwise it waits, and its place is returned. With nobody
 * there at all only a chat that can wait for days may begin.
 */
export const routeArrival = async (
  tx: Transaction<OrganizationScope>,
  chat: AssignableChat,
  { mustBeOnline }: { mustBeOnline: boolean },
): Promise<QueuePlace | undefined> => {
  const before = await openFloor(tx);
  if (mustBeOnline && statusOf(before, chat.groupIds) === 'offline')
    throw new DomainError('groups_offline', 'Groups offline');
  const { places } = await reroute(tx, before, withWaiting(before, [toWaiting(tx, chat)]));
  return places.get(chat.id);
};
