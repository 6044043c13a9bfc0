/** Used when the browser denies access to its storage; it lasts until the page is left. */
const memory = new Map<string, string>();

const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch {
    return undefined;
  }
};

/** `undefined` removes the entry. */
export const writeStorage = (key: string, value: unknown): void => {
  const text = value === undefined ? undefined : JSON.stringify(value);
  if (text === undefined) {
    memory.delete(key);
    attempt(() => localStorage.removeItem(key));
  } else {
    memory.set(key, text);
    attempt(() => localStorage.setItem(key, text));
  }
};

export const readStorage = <T>(key: string): T | undefined => {
  const stored = attempt(() => localStorage.getItem(key)) ?? memory.get(key);
  return stored ? attempt(() => JSON.parse(stored) as T) : undefined;
};

/** Lasts as long as the tab. */
export const writeTabStorage = (key: string, value: string): void =>
  void attempt(() => sessionStorage.setItem(key, value));
export const readTabStorage = (key: string): string | null | undefined => attempt(() => sessionStorage.getItem(key));
