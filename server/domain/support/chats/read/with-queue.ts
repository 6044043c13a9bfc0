import type { OrganizationScope } from '../../../scope.ts';
import { readQueue } from '../../routing/read-queue.ts';
import type { ThreadWithEvents } from '../records.ts';

/** A thread that waits says where it stands. Only the open thread of a chat that nobody answers can, so most are not asked about. */
export const withQueue = async (
  scope: OrganizationScope,
  threads: ThreadWithEvents[],
  unassigned: boolean,
): Promise<ThreadWithEvents[]> => {
  const open = unassigned ? threads.filter(({ active }) => active) : [];
  if (open.length === 0) return threads;
  const places = await readQueue(
    scope,
    open.map(({ id }) => id),
  );
  return threads.map((thread) => {
    const queue = places.get(thread.id);
    return queue ? { ...thread, queue } : thread;
  });
};
