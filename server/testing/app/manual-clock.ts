import type { Clock } from '#server/domain/clock.ts';

export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that only moves when a test advances it. */
export const createManualClock = (start = new Date('2026-03-02T10:00:00.000Z')): ManualClock => {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
};
