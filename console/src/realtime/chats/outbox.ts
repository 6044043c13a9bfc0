import type { AgentEventInput } from '#contracts/chat/events.ts';
import type { ChatEvent } from './state.ts';

/** Something the agent sent of which the server's own word has not come yet. */
export interface Unsent {
  /** Tells the server that a second try is the same message. */
  customId: string;
  chatId: string;
  event: AgentEventInput;
  writtenAt: string;
  /** `waiting`: the server was unreachable; it is sent again after reconnecting. */
  state: 'sending' | 'waiting' | 'failed' | 'sent';
  /** Why it failed. */
  reason?: string | undefined;
  /** As the server named it. */
  eventId?: string;
}

export type Outbox = readonly Unsent[];

/** What is still to be shown beside the events of a chat: whatever came back as an event is not. */
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

/** Survives a reload: nothing that was written is lost. */
export const loadOutbox = (login: string): Outbox => {
  try {
    const kept = JSON.parse(localStorage.getItem(`${KEY} ${login}`) ?? '[]') as Unsent[];
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
};

export const keepOutbox = (login: string, outbox: Outbox): void => {
  try {
    localStorage.setItem(`${KEY} ${login}`, JSON.stringify(outbox));
  } catch {
    // A full or forbidden storage costs the memory of it over a reload, not the message.
  }
};
