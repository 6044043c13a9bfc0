/** A page in the background draws no frames, also none that it was asked for before it went there. */
const HIDDEN_MS = 200;

/** Hands over what came in, once per frame, so that fifty pushes a second cost no more than the screen shows. */
export const createBatches = <T>(handle: (batch: T[]) => void): { add(one: T): void; flush(): void } => {
  let waiting: T[] = [];
  let late: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(late);
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) handle(batch);
  };
  return {
    add: (one) => {
      waiting.push(one);
      if (waiting.length > 1) return;
      requestAnimationFrame(flush);
      late = setTimeout(flush, HIDDEN_MS);
    },
    flush,
  };
};
