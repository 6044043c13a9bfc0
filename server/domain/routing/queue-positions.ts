import type { Waiting } from './floor.ts';

/** A stay in the queue that ended with an agent. */
export interface EndedStay {
  groupIds: number[];
  enteredAt: Date;
  leftAt: Date;
}

export interface QueuePlace {
  /** From 1, among those who wait for the same groups. */
  position: number;
  /** Seconds, as far as one can tell. */
  waitTime: number;
  queuedAt: Date;
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

const countsAhead = () => {
  const ahead: number[][] = [];
  const counts = new Map<number, number>();
  return (groupIds: number[]): number => {
    const [only] = groupIds;
    const count =
      groupIds.length === 1 ? (counts.get(only!) ?? 0) : ahead.filter((other) => shares(groupIds, other)).length;
    ahead.push(groupIds);
    for (const id of groupIds) counts.set(id, (counts.get(id) ?? 0) + 1);
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
