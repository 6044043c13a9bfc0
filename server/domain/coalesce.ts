interface InFlight<T> {
  done: Promise<unknown>;
  next?: Promise<T>;
}

/**
 * Callers that arrive while a call with the same key is running share the next call. It starts after each of them
 * arrived, so no caller gets data older than its request, and at most one call per key runs at a time.
 */
export const createCoalescer = <T>(): ((key: string, run: () => Promise<T>) => Promise<T>) => {
  const inFlight = new Map<string, InFlight<T>>();
  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const result = run();
    const entry: InFlight<T> = { done: result.catch(() => undefined) };
    inFlight.set(key, entry);
    void entry.done.then(() => {
      if (!entry.next) inFlight.delete(key);
    });
    return result;
  };
  return (key, run) => {
    const entry = inFlight.get(key);
    if (!entry) return start(key, run);
    entry.next ??= entry.done.then(() => start(key, run));
    return entry.next;
  };
};
