/** Background pages do not run animation frames, not even those requested before. */
const HIDDEN_MS = 200;

/** Delivers items in batches, once per frame, so fifty pushes a second cause no more renders than the screen shows. */
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
