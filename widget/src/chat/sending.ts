import type { EventInput } from '#contracts/chat/events.ts';
import { isActive } from './conversation.ts';
import { type Desk, startView, typeOf } from './desk.ts';
import type { Draft } from './outbox.ts';
import type { Sync } from './sync.ts';

/** Why something does not go out, as a phrase. */
const faults: Record<string, string> = {
  group_offline: 'Agents_not_available',
  groups_offline: 'Agents_not_available',
  group_unavailable: 'Agents_not_available',
  too_many_requests: 'Too_many_messages',
  entity_too_large: 'Message_too_long',
  customer_banned: 'Chat_not_possible',
};

export interface Sending {
  /** Says it in the open chat, or opens one with it. */
  send(...events: EventInput[]): void;
  retry(id: string): void;
  /** Sends what waits; after each login, everything that is not known to have arrived. */
  flush(again?: boolean): Promise<void>;
  /** Which groups the next chat is for. */
  setGroups(groupIds: number[] | undefined): void;
}

export const createSending = (desk: Desk, sync: Sync): Sending => {
  const { core, store, outbox } = desk;
  const { request } = core.connection;
  const answered = new Set<string>();
  let working: Promise<void> | undefined;
  let groups: number[] | undefined;

  const openChat = (drafts: Draft[]): Promise<unknown> => {
    const group_ids = groups ?? [core.options.groupId];
    const chat = { access: { group_ids }, thread: { events: drafts.map(({ event }) => event) } };
    const id = sync.latestChatId();
    return id ? request('resume_chat', { chat: { id, ...chat } }) : request('start_chat', { chat });
  };

  const refuse = (drafts: Draft[], type: string): void => {
    const fault = faults[type] ?? 'Message_not_sent';
    if (fault === 'Agents_not_available') store.set({ online: false });
    // A form without a chat is asked again.
    outbox.remove(drafts.filter(({ event }) => event.type === 'filled_form').map(({ id }) => id));
    for (const { id, event } of drafts) if (event.type !== 'filled_form') outbox.fail(id, fault);
    if (!isActive(store.get().conversation)) store.set({ trouble: fault, view: startView(desk) });
  };

  /** Whether there may be more to do. */
  const sendNext = async (): Promise<boolean> => {
    const { known, conversation } = store.get();
    if (!known || core.connection.state() !== 'online') return false;
    const waiting = outbox.all().filter((draft) => outbox.isMine(draft) && !draft.fault && !answered.has(draft.id));
    const [first] = waiting;
    if (!first) return false;
    const active = isActive(conversation);
    const batch = active ? [first] : waiting;
    try {
      if (active) await request('send_event', { chat_id: conversation!.id, event: first.event });
      else await openChat(waiting);
      for (const { id } of batch) answered.add(id);
      return true;
    } catch (error) {
      const type = typeOf(error);
      if (type === 'connection_lost') return false;
      // The chat is not as it was thought to be; look, and try once more with what is true.
      if (type === 'chat_inactive' || (!active && type === 'validation')) {
        await sync.read();
        if (isActive(store.get().conversation) !== active) return true;
      }
      refuse(batch, type);
      return true;
    }
  };

  const flush = async (again?: boolean): Promise<void> => {
    if (again) answered.clear();
    working ??= (async () => {
      while (await sendNext());
    })().finally(() => {
      working = undefined;
    });
    await working;
  };

  return {
    flush,
    send: (...events) => {
      for (const event of events) outbox.add(event);
      store.set({ trouble: undefined });
      void flush();
    },
    retry: (id) => {
      answered.delete(id);
      outbox.claim(id);
      void flush();
    },
    setGroups: (groupIds) => {
      groups = groupIds;
    },
  };
};
