import { setTimeout as delay } from 'node:timers/promises';

/** Coordinates a background loop with callers who wait for its iterations. */
export interface LoopSignals {
  /** Ends an iteration, with its error if it failed. */
  endIteration(error?: unknown): void;
  /** The error of the last iteration. */
  lastError(): unknown;
  /** Resolves when the next iteration ends, whether or not it succeeded. */
  nextIteration(): Promise<void>;
  /** Skips pauses and waits for the next iteration; rejects if it fails. */
  runNow(): Promise<void>;
  /** Pauses. Resolves with false if `runNow` ended the pause. */
  pause(milliseconds: number): Promise<boolean>;
}

export const createLoopSignals = (): LoopSignals => {
  let step = Promise.withResolvers<void>();
  let waking = new AbortController();
  let lastError: unknown;
  return {
    endIteration: (error) => {
      lastError = error;
      const { resolve } = step;
      step = Promise.withResolvers();
      resolve();
    },
    lastError: () => lastError,
    nextIteration: () => step.promise,
    runNow: async () => {
      waking.abort();
      waking = new AbortController();
      await step.promise;
      if (lastError) throw lastError;
    },
    pause: (milliseconds) => delay(milliseconds, true, { signal: waking.signal }).catch(() => false),
  };
};
