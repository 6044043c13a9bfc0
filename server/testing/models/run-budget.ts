/**
 * Limits how long a model test explores. The first `minRuns` runs always complete, however slow the machine is; runs beyond
 * them stop when the time is spent.
 */
export const createRunBudget = ({ minRuns, maxMs }: { minRuns: number; maxMs: number }) => {
  const until = performance.now() + maxMs;
  let completed = 0;
  const isSpent = (): boolean => completed >= minRuns && performance.now() > until;
  return {
    isSpent,
    complete: (): void => {
      completed += 1;
    },
    completed: () => completed,
  };
};

export type RunBudget = ReturnType<typeof createRunBudget>;
