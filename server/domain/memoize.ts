/** Caches results by key and clears the cache when it is full: a plain map is much faster than an LRU cache here. */
export const memoize = <Result>(maxEntries: number, compute: (key: string) => Result): ((key: string) => Result) => {
  const cache = new Map<string, Result>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = compute(key);
    if (cache.size >= maxEntries) cache.clear();
    cache.set(key, result);
    return result;
  };
};
