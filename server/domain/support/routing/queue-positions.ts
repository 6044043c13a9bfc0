import type { QueuePosition } from './records.ts';
import type { QueuedChat } from './routing-snapshot.ts';

/** A wait in the queue that ended with an assignment. */
export interface CompletedQueueEntry {
  groupIds: number[];
  enteredAt: Date;
  leftAt: Date;
}

/** Used while no completed wait is known. */
const DEFAULT_MS_PER_DEPARTURE = 60_000;

const shareGroup = (one: number[], other: number[]): boolean => one.some((id) => other.includes(id));

/**
 * The average time between two departures while the queue is not empty: the time during which at least one chat waited,
 * divided by the number of departures. Idle times say nothing about how fast a queue moves.
 */
export const msPerDeparture = (entries: CompletedQueueEntry[]): number | undefined => {
  if (entries.length === 0) return undefined;
  let busy = 0;
  let until = 0;
  for (const { enteredAt, leftAt } of entries.toSorted(
    (one, other) => one.enteredAt.getTime() - other.enteredAt.getTime(),
  )) {
    const from = Math.max(enteredAt.getTime(), until);
    until = Math.max(leftAt.getTime(), until);
    busy += Math.max(until - from, 0);
  }
  return busy / entries.length;
};

/**
 * Chats with the same groups are counted together: a queue may be long, but has few distinct combinations of groups.
 */
const createAheadCounter = () => {
  const ahead = new Map<string, { groupIds: number[]; count: number }>();
  return (groupIds: number[]): number => {
    let count = 0;
    for (const other of ahead.values()) if (shareGroup(groupIds, other.groupIds)) count += other.count;
    const key = groupIds.join();
    const same = ahead.get(key);
    if (same) same.count++;
    else ahead.set(key, { groupIds, count: 1 });
    return count;
  };
};

/** Computes the position of each queued chat by chat id. `waiting` must be in queue order. */
export const queuePositions = (waiting: QueuedChat[], recent: CompletedQueueEntry[]): Map<string, QueuePosition> => {
  const intervals = new Map<string, number>();
  const interval = (groupIds: number[]): number => {
    const key = groupIds.join();
    const cached = intervals.get(key);
    if (cached !== undefined) return cached;
    const own = msPerDeparture(recent.filter((entry) => shareGroup(entry.groupIds, groupIds)));
    const found = own ?? msPerDeparture(recent) ?? DEFAULT_MS_PER_DEPARTURE;
    intervals.set(key, found);
    return found;
  };
  const countAhead = createAheadCounter();
  return new Map(
    waiting.map(({ chatId, groupIds, enteredAt }) => {
      const position = countAhead(groupIds) + 1;
      const waitTime = Math.round((position * interval(groupIds)) / 1000);
      return [chatId, { position, waitTime, queuedAt: enteredAt }];
    }),
  );
};
