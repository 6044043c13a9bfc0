import { createStore } from './store.ts';

export interface Notice {
  id: number;
  text: string;
  kind: 'done' | 'failed';
}

const SHOWN_MS = 5_000;
const notices = createStore<Notice[]>([]);
let last = 0;

export const useNotices = notices.use;

export const dismissNotice = (id: number): void => notices.set(notices.get().filter((notice) => notice.id !== id));

const show = (text: string, kind: Notice['kind']): void => {
  const id = ++last;
  notices.set([...notices.get(), { id, text, kind }]);
  setTimeout(() => dismissNotice(id), SHOWN_MS);
};

/** Shows a notification that disappears after a few seconds. */
export const notifySuccess = (text: string): void => show(text, 'done');
export const notifyError = (text: string): void => show(text, 'failed');
