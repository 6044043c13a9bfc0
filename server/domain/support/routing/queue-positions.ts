import type { Waiting } from './floor.ts';
import type { QueuePlace } from './records.ts';

/** A stay in the queue that ended with an agent. */
export interface EndedStay {
  groupIds: number[];
  enteredAt: Date;
  leftAt: Date;
}

/** So long per place while nothing is known yet. */
const UNKNOWN_PACE_MS = 60_000;

const shares = (one: number[], other: number[]): boolean => one.some((id) => other.includes(id));

/**
 * Time between two who leave the queue while it is not empty: the time that somebody waited, counted once, divided by
 * those who left. Times when nobody waited say nothing about how fast a queue moves.
 */
export const paceOf = (stays: EndedStay[]): number | undefined => {
  if (stays.length === 0) return undefined;
  let busy = 0;
  let until = 0;
  for (const { enteredAt, leftAt } of stays.toSorted(
    (one, other) => one.enteredAt.getTime() - other.enteredAt.getTime(),
  )) {
    const from = Math.max(enteredAt.getTime(), until);
    until = Math.max(leftAt.getTime(), until);
    busy += Math.max(until - from, 0);
  }
  return busy / stays.length;
};

/** Chats that ask for the same groups are counted together: a queue is long, but the ways to ask are few. */
const countsAhead = () => {
  const ahead = new Map<string, { groupIds: number[]; count: number }>();
  return (groupIds: number[]): number => {
    let count = 0;
    for (const other of ahead.values()) if (shares(groupIds, other.groupIds)) count += other.count;
    const key = groupIds.join();
    const same = ahead.get(key);
    if (same) same.count++;
    else ahead.set(key, { groupIds, count: 1 });
    return count;
  };
};

/** Where each waiting chat stands, by its id. `waiting` is in the queue's order. */
export const placesOf = (waiting: Waiting[], recent: EndedStay[]): Map<string, QueuePlace> => {
  const paces = new Map<string, number>();
  const pace = (groupIds: number[]): number => {
    const key = groupIds.join();
    const known = paces.get(key);
    if (known !== undefined) return known;
    const own = paceOf(recent.filter((stay) => shares(stay.groupIds, groupIds)));
    const found = own ?? paceOf(recent) ?? UNKNOWN_PACE_MS;
    paces.set(key, found);
    return found;
  };
  const countAhead = countsAhead();
  return new Map(
    waiting.map(({ chatId, groupIds, enteredAt }) => {
      const position = countAhead(groupIds) + 1;
      const waitTime = Math.round((position * pace(groupIds)) / 1000);
      return [chatId, { position, waitTime, queuedAt: enteredAt }];
    }),
  );
};
