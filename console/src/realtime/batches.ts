/** A page in the background draws no frames, but what comes must not pile up. */
const HIDDEN_MS = 200;

/** Hands over what came in, once per frame, so that fifty pushes a second cost no more than the screen shows. */
export const createBatches = <T>(handle: (batch: T[]) => void): { add(one: T): void; flush(): void } => {
  let waiting: T[] = [];
  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) handle(batch);
  };
  return {
    add: (one) => {
      waiting.push(one);
      if (waiting.length > 1) return;
      if (document.hidden) setTimeout(flush, HIDDEN_MS);
      else requestAnimationFrame(flush);
    },
    flush,
  };
};
