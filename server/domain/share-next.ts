interface UnderWay<T> {
  done: Promise<unknown>;
  next?: Promise<T>;
}

/**
 * Whoever asks the same while an answer is under way shares the next one. It is begun after each of them asked, so nobody is
 * told less than was true then, and however many ask, the question is asked once at a time.
 */
export const createShareNext = <T>(): ((key: string, ask: () => Promise<T>) => Promise<T>) => {
  const underWay = new Map<string, UnderWay<T>>();
  const begin = (key: string, ask: () => Promise<T>): Promise<T> => {
    const answer = ask();
    const entry: UnderWay<T> = { done: answer.catch(() => undefined) };
    underWay.set(key, entry);
    void entry.done.then(() => {
      if (!entry.next) underWay.delete(key);
    });
    return answer;
  };
  return (key, ask) => {
    const entry = underWay.get(key);
    if (!entry) return begin(key, ask);
    entry.next ??= entry.done.then(() => begin(key, ask));
    return entry.next;
  };
};
