import type { EventInput } from '#contracts/chat/events.ts';
import { type ChatContext, startView, typeOf } from './chat-context.ts';
import { isActive } from './conversation.ts';
import type { UnsentEvent } from './outbox.ts';
import type { Sync } from './sync.ts';

/** Error phrases by API error type. */
const errorPhrases: Record<string, string> = {
  group_offline: 'Agents_not_available',
  groups_offline: 'Agents_not_available',
  group_unavailable: 'Agents_not_available',
  too_many_requests: 'Too_many_messages',
  entity_too_large: 'Message_too_long',
  customer_banned: 'Chat_not_possible',
};

export interface MessageSender {
  /** Sends events to the active chat, or starts a chat with them. */
  send(...events: EventInput[]): void;
  retry(id: string): void;
  /** Sends waiting events. `again` also resends those that were sent but have not arrived, which is needed after a login. */
  flush(again?: boolean): Promise<void>;
  /** The groups that the next chat is routed to. */
  setGroups(groupIds: number[] | undefined): void;
}

export const createMessageSender = (context: ChatContext, sync: Sync): MessageSender => {
  const { core, store, outbox } = context;
  const { request } = core.connection;
  const acknowledged = new Set<string>();
  let working: Promise<void> | undefined;
  let groups: number[] | undefined;

  const openChat = (unsentEvents: UnsentEvent[]): Promise<unknown> => {
    const group_ids = groups ?? [core.options.groupId];
    const chat = { access: { group_ids }, thread: { events: unsentEvents.map(({ event }) => event) } };
    const id = sync.latestChatId();
    return id ? request('resume_chat', { chat: { id, ...chat } }) : request('start_chat', { chat });
  };

  const markFailed = (unsentEvents: UnsentEvent[], type: string): void => {
    const error = errorPhrases[type] ?? 'Message_not_sent';
    if (error === 'Agents_not_available') store.set({ online: false });
    // The pre-chat form is shown again and can be resubmitted.
    outbox.remove(unsentEvents.filter(({ event }) => event.type === 'filled_form').map(({ id }) => id));
    for (const { id, event } of unsentEvents) if (event.type !== 'filled_form') outbox.fail(id, error);
    if (!isActive(store.get().conversation)) store.set({ startError: error, view: startView(context) });
  };

  /** Returns whether there may be more to send. */
  const sendNext = async (): Promise<boolean> => {
    const { isLoaded, conversation } = store.get();
    if (!isLoaded || core.connection.state() !== 'online') return false;
    const waiting = outbox
      .all()
      .filter((unsent) => outbox.isMine(unsent) && !unsent.error && !acknowledged.has(unsent.id));
    const [first] = waiting;
    if (!first) return false;
    const active = isActive(conversation);
    const batch = active ? [first] : waiting;
    try {
      if (active) await request('send_event', { chat_id: conversation!.id, event: first.event });
      else await openChat(waiting);
      for (const { id } of batch) acknowledged.add(id);
      return true;
    } catch (error) {
      const type = typeOf(error);
      if (type === 'connection_lost') return false;
      // The chat was started or closed meanwhile: reload it and retry once with its current state.
      if (type === 'chat_inactive' || (!active && type === 'validation')) {
        await sync.read();
        if (isActive(store.get().conversation) !== active) return true;
      }
      markFailed(batch, type);
      return true;
    }
  };

  const flush = async (again?: boolean): Promise<void> => {
    if (again) acknowledged.clear();
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
      store.set({ startError: undefined });
      void flush();
    },
    retry: (id) => {
      acknowledged.delete(id);
      outbox.claim(id);
      void flush();
    },
    setGroups: (groupIds) => {
      groups = groupIds;
    },
  };
};
