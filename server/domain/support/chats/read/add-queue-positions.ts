import type { OrganizationScope } from '../../../scope.ts';
import { readQueuePositions } from '../../routing/read-queue-positions.ts';
import type { ThreadWithEvents } from '../records.ts';

/** Adds queue positions. Only the active thread of an unassigned chat can be queued, so usually no query is needed. */
export const addQueuePositions = async (
  scope: OrganizationScope,
  threads: ThreadWithEvents[],
  unassigned: boolean,
): Promise<ThreadWithEvents[]> => {
  const open = unassigned ? threads.filter(({ active }) => active) : [];
  if (open.length === 0) return threads;
  const positions = await readQueuePositions(
    scope,
    open.map(({ id }) => id),
  );
  return threads.map((thread) => {
    const queue = positions.get(thread.id);
    return queue ? { ...thread, queue } : thread;
  });
};
