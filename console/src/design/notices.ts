import { useSyncExternalStore } from 'react';

export interface Notice {
  id: number;
  text: string;
  kind: 'done' | 'failed';
}

const SHOWN_MS = 5_000;
const listeners = new Set<() => void>();
let notices: Notice[] = [];
let last = 0;

const set = (next: Notice[]): void => {
  notices = next;
  for (const listener of listeners) listener();
};

export const dismissNotice = (id: number): void => set(notices.filter((notice) => notice.id !== id));

const show = (text: string, kind: Notice['kind']): void => {
  const id = ++last;
  set([...notices, { id, text, kind }]);
  setTimeout(() => dismissNotice(id), SHOWN_MS);
};

/** Shows a notification that disappears after a few seconds. */
export const notifySuccess = (text: string): void => show(text, 'done');
export const notifyError = (text: string): void => show(text, 'failed');

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNotices = (): Notice[] => useSyncExternalStore(subscribe, () => notices);
