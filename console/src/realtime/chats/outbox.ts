import { readStorage, writeStorage } from '#browser/storage.ts';
import type { AgentEventInput } from '#contracts/chat/events.ts';
import type { ChatEvent } from './state.ts';

/** An event the agent sent that has not come back as a push yet. */
export interface Unsent {
  /** Lets the server recognize a retry of the same event. */
  customId: string;
  chatId: string;
  event: AgentEventInput;
  writtenAt: string;
  /** `waiting`: the server was unreachable; it is sent again after reconnecting. */
  state: 'sending' | 'waiting' | 'failed' | 'sent';
  /** Why it failed. */
  reason?: string | undefined;
  /** ID assigned by the server. */
  eventId?: string;
}

export type Outbox = readonly Unsent[];

/** Removes entries that have arrived as events of the chat. */
export const withoutArrived = (outbox: Outbox, chatId: string, events: ChatEvent[]): Outbox => {
  if (!outbox.some((unsent) => unsent.chatId === chatId)) return outbox;
  const ids = new Set(
    events.flatMap(({ id, custom_id: customId }) => (customId === undefined ? [id] : [id, customId])),
  );
  const left = outbox.filter(
    ({ chatId: to, customId, eventId }) =>
      to !== chatId || !(ids.has(customId) || (eventId !== undefined && ids.has(eventId))),
  );
  return left.length === outbox.length ? outbox : left;
};

export const patchUnsent = (outbox: Outbox, customId: string, patch: Partial<Unsent>): Outbox =>
  outbox.map((unsent) => (unsent.customId === customId ? { ...unsent, ...patch } : unsent));

const KEY = 'parley-unsent';

/** Stored in the browser, so unsent messages survive a reload. */
export const loadOutbox = (login: string): Outbox => readStorage<Unsent[]>(`${KEY} ${login}`) ?? [];
export const saveOutbox = (login: string, outbox: Outbox): void => writeStorage(`${KEY} ${login}`, outbox);
