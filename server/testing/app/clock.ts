import type { Clock } from '#server/domain/clock.ts';

export interface HeldClock extends Clock {
  advance(milliseconds: number): void;
}

/** Stands still until a test moves it. */
export const holdClock = (start = new Date('2026-03-02T10:00:00.000Z')): HeldClock => {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
};
