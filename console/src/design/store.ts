import { useSyncExternalStore } from 'react';

/** A value outside of React that components can follow. */
export const createStore = <T>(initial: T) => {
  const listeners = new Set<() => void>();
  let value = initial;
  const get = (): T => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next: T): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): T => useSyncExternalStore(subscribe, get),
  };
};
