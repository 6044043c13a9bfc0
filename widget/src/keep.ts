/** What a browser keeps of a shop's widget. A browser that keeps nothing forgets at the next page. */
const inMemory = new Map<string, string>();

const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    return undefined;
  }
};

export const keep = (key: string, value: unknown): void => {
  const text = value === undefined ? undefined : JSON.stringify(value);
  if (text === undefined) {
    inMemory.delete(key);
    attempt(() => localStorage.removeItem(key));
  } else {
    inMemory.set(key, text);
    attempt(() => localStorage.setItem(key, text));
  }
};

export const recall = <T>(key: string): T | undefined => {
  const stored = attempt(() => localStorage.getItem(key)) ?? inMemory.get(key);
  return stored ? attempt(() => JSON.parse(stored) as T) : undefined;
};

/** As long as the tab is there. */
export const keepInTab = (key: string, value: string): void => void attempt(() => sessionStorage.setItem(key, value));
export const recallInTab = (key: string): string | null | undefined => attempt(() => sessionStorage.getItem(key));
