import { setTimeout as delay } from 'node:timers/promises';

/** Work that goes on by itself, one step after the other, and those who wait for it. */
export interface Steps {
  /** A step is over; `error` when it did not succeed. */
  settle(error?: unknown): void;
  /** Why the last one did not succeed. */
  failure(): unknown;
  /** Resolves with the end of the next step, whatever becomes of it. */
  ended(): Promise<void>;
  /** Lets nobody rest, and waits for the next step; rejects when that fails. */
  hurry(): Promise<void>;
  /** Whether it lasted: somebody may be in a hurry. */
  rest(milliseconds: number): Promise<boolean>;
}

export const createSteps = (): Steps => {
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
