import { useSyncExternalStore } from 'react';

export interface NotifySettings {
  sound: boolean;
  /** Browser notifications while the page has no focus. */
  popups: boolean;
}

const KEY = 'parley-notify';
const listeners = new Set<() => void>();

const load = (): NotifySettings => {
  try {
    return { sound: true, popups: false, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { sound: true, popups: false };
  }
};

let settings = load();

export const notifySettings = (): NotifySettings => settings;

export const changeNotifySettings = (change: Partial<NotifySettings>): void => {
  settings = { ...settings, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNotifySettings = (): NotifySettings => useSyncExternalStore(subscribe, () => settings);
