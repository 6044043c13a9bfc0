import type { EventInput } from '#contracts/chat/events.ts';
import { keep, keepInTab, recall, recallInTab } from '../keep.ts';

/** Something that was said and is not known to have arrived. */
export interface Draft {
  /** The same one with every try, so that it arrives once. */
  id: string;
  event: EventInput;
  createdAt: string;
  /** The tab it was written in; only that one sends it by itself. */
  tab: string;
  /** Why it does not go out. */
  fault?: string;
}

export interface Outbox {
  all(): Draft[];
  add(event: EventInput): Draft;
  /** It does not go out. */
  fail(id: string, fault: string): void;
  /** This tab tries again, whoever wrote it. */
  claim(id: string): void;
  remove(ids: readonly string[]): void;
  /** Whether it was written here. */
  isMine(draft: Draft): boolean;
}

export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => (byte + 256).toString(16).slice(1)).join('');

const tabId = (): string => {
  const known = recallInTab('parley_tab');
  if (known) return known;
  const made = newId();
  keepInTab('parley_tab', made);
  return made;
};

/** What was not sent, kept by the browser for all of its tabs. */
export const openOutbox = (key: string, onChange: () => void): Outbox => {
  const tab = tabId();
  const all = (): Draft[] => recall<Draft[]>(key) ?? [];
  const write = (drafts: Draft[]): void => {
    keep(key, drafts.length > 0 ? drafts : undefined);
    onChange();
  };
  const change = (id: string, more: Partial<Draft>): void =>
    write(all().map((draft) => (draft.id === id ? { ...draft, ...more } : draft)));
  addEventListener('storage', (event) => event.key === key && onChange());
  return {
    all,
    isMine: (draft) => draft.tab === tab,
    add: (event) => {
      const id = newId();
      const draft = { id, event: { ...event, custom_id: id }, createdAt: new Date().toISOString(), tab };
      write([...all(), draft]);
      return draft;
    },
    fail: (id, fault) => change(id, { fault }),
    claim: (id) => change(id, { tab, fault: undefined }),
    remove: (ids) => {
      const left = all().filter(({ id }) => !ids.includes(id));
      if (left.length < all().length) write(left);
    },
  };
};
