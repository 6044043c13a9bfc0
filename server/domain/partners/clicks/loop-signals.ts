import { setTimeout as delay } from 'node:timers/promises';

/** Coordinates a background loop with callers who wait for its iterations. */
export interface LoopSignals {
  /** Ends an iteration, with its error if it failed. */
  settle(error?: unknown): void;
  /** The error of the last iteration. */
  failure(): unknown;
  /** Resolves when the next iteration ends, whether or not it succeeded. */
  ended(): Promise<void>;
  /** Skips pauses and waits for the next iteration; rejects if it fails. */
  hurry(): Promise<void>;
  /** Pauses. Resolves with false if `hurry` ended the pause. */
  rest(milliseconds: number): Promise<boolean>;
}

export const createLoopSignals = (): LoopSignals => {
  let step = Promise.withResolvers<void>();
  let waking = new AbortController();
  let failure: unknown;
  return {
    settle: (error) => {
      failure = error;
      const { resolve } = step;
      step = Promise.withResolvers();
      resolve();
    },
    failure: () => failure,
    ended: () => step.promise,
    hurry: async () => {
      waking.abort();
      waking = new AbortController();
      await step.promise;
      if (failure) throw failure;
    },
    rest: (milliseconds) => delay(milliseconds, true, { signal: waking.signal }).catch(() => false),
  };
};
