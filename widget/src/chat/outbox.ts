import { readStorage, readTabStorage, writeStorage, writeTabStorage } from '#browser/storage.ts';
import type { EventInput } from '#contracts/chat/events.ts';

/** An event that has not been confirmed by the server. */
export interface UnsentEvent {
  /** Sent as `custom_id` with every attempt, so that the event arrives once. */
  id: string;
  event: EventInput;
  createdAt: string;
  /** The tab that created it. Only that tab sends it automatically. */
  tab: string;
  /** The error phrase when sending failed. */
  error?: string;
}

export interface Outbox {
  all(): UnsentEvent[];
  add(event: EventInput): UnsentEvent;
  fail(id: string, error: string): void;
  /** Lets this tab send an event that another tab created. */
  claim(id: string): void;
  remove(ids: readonly string[]): void;
  isMine(unsent: UnsentEvent): boolean;
}

export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => (byte + 256).toString(16).slice(1)).join('');

const tabId = (): string => {
  const existing = readTabStorage('parley_tab');
  if (existing) return existing;
  const created = newId();
  writeTabStorage('parley_tab', created);
  return created;
};

/** Unconfirmed events, stored in the browser and shared by its tabs. */
export const openOutbox = (key: string, onChange: () => void): Outbox => {
  const tab = tabId();
  const all = (): UnsentEvent[] => readStorage<UnsentEvent[]>(key) ?? [];
  const write = (unsentEvents: UnsentEvent[]): void => {
    writeStorage(key, unsentEvents.length > 0 ? unsentEvents : undefined);
    onChange();
  };
  const change = (id: string, more: Partial<UnsentEvent>): void =>
    write(all().map((unsent) => (unsent.id === id ? { ...unsent, ...more } : unsent)));
  addEventListener('storage', (event) => event.key === key && onChange());
  return {
    all,
    isMine: (unsent) => unsent.tab === tab,
    add: (event) => {
      const id = newId();
      const unsent = { id, event: { ...event, custom_id: id }, createdAt: new Date().toISOString(), tab };
      write([...all(), unsent]);
      return unsent;
    },
    fail: (id, error) => change(id, { error }),
    claim: (id) => change(id, { tab, error: undefined }),
    remove: (ids) => {
      const left = all().filter(({ id }) => !ids.includes(id));
      if (left.length < all().length) write(left);
    },
  };
};
