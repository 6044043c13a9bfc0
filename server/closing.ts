/** Collects how opened resources are closed. */
export interface Closing {
  /** Without `withinMs`, a step may use all the time that is left. */
  add(name: string, close: () => unknown, withinMs?: number): void;
  /** Closes in reverse order. A step that fails or hangs does not stop the others; rejects at the end with all errors. */
  closeAll(): Promise<void>;
}

interface Step {
  name: string;
  close(): unknown;
  withinMs: number;
}

const runStep = async ({ name, close }: Step, withinMs: number): Promise<Error | undefined> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([(async () => close())(), late]);
    return undefined;
  } catch (cause) {
    return new Error(`${name}: ${(cause as Error).message}`, { cause });
  } finally {
    clearTimeout(timer);
  }
};

export const createClosing = (withinMs: number): Closing => {
  const steps: Step[] = [];
  return {
    add: (name, close, share = withinMs) => void steps.push({ name, close, withinMs: share }),
    closeAll: async () => {
      const end = performance.now() + withinMs;
      const errors: Error[] = [];
      for (let step = steps.pop(); step; step = steps.pop()) {
        const left = Math.max(0, Math.round(end - performance.now()));
        const error = await runStep(step, Math.min(step.withinMs, left));
        if (error) errors.push(error);
      }
      if (errors.length > 0)
        throw new AggregateError(errors, `Closing failed: ${errors.map(({ message }) => message).join('; ')}`);
    },
  };
};
