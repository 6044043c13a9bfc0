import type { ChatSummary, Thread } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import { changeThread, changeUser, isActive, lastThread, withPostback, withThreads } from './conversation.ts';
import type { Desk } from './desk.ts';
import type { PredictedAgent } from './state.ts';

const PEEK_EVERY_MS = 900;

/** What somebody does in a chat besides saying something. */
export const createTalking = ({ core, store }: Desk) => {
  const { request } = core.connection;
  const quietly = (action: string, payload: object): void => void request(action, payload).catch(() => {});
  let peekTimer: ReturnType<typeof setTimeout> | undefined;
  let peeked = '';
  let typed = '';
  let seenUpTo = '';

  const peek = (): void => {
    peekTimer = undefined;
    const { conversation } = store.get();
    if (typed === peeked || !conversation || !isActive(conversation)) return;
    peeked = typed;
    quietly('send_sneak_peek', { chat_id: conversation.id, sneak_peek_text: typed.slice(0, 4000) });
    peekTimer = setTimeout(peek, PEEK_EVERY_MS);
  };

  const press = (thread: Thread, event: Event, postbackId: string, toggled: boolean): void => {
    const { conversation, customer } = store.get();
    if (!conversation || !customer) return;
    const postback = { id: postbackId, toggled };
    const changed = changeThread(conversation, thread.id, (one) => ({
      ...one,
      events: one.events.map((other) => (other.id === event.id ? withPostback(other, postback, customer.id) : other)),
    }));
    store.set({ conversation: changed });
    quietly('send_rich_message_postback', {
      chat_id: conversation.id,
      thread_id: thread.id,
      event_id: event.id,
      postback,
    });
    core.emit('rich_message_button_clicked', { eventId: event.id, postbackId });
  };

  /** Somebody looks at the newest of the chat. */
  const markSeen = (): void => {
    const { conversation, customer } = store.get();
    const last = lastThread(conversation)?.events.at(-1);
    if (!conversation || !customer || !last || last.created_at <= seenUpTo) return;
    seenUpTo = last.created_at;
    store.set({ conversation: changeUser(conversation, customer.id, { events_seen_up_to: seenUpTo }) });
    core.connection.requestWhenOnline('mark_events_as_seen', { chat_id: conversation.id, seen_up_to: seenUpTo });
  };

  return {
    press,
    markSeen,
    type: (text: string): void => {
      typed = text;
      if (!peekTimer) peek();
    },
    end: async (): Promise<void> => {
      const { conversation } = store.get();
      if (isActive(conversation)) await request('deactivate_chat', { id: conversation!.id });
    },
    mailTranscript: async (email: string): Promise<void> => {
      const { conversation } = store.get();
      const thread = lastThread(conversation);
      await request('send_transcript', { chat_id: conversation!.id, thread_id: thread!.id, email });
    },
    /** The threads before the first one that is shown. */
    readEarlier: async (): Promise<void> => {
      const { conversation } = store.get();
      const before = conversation?.threads[0]?.previous_thread_id;
      if (!conversation || !before) return;
      const { thread } = await request<{ thread?: Thread }>('get_chat', {
        chat_id: conversation.id,
        thread_id: before,
      });
      const now = store.get().conversation;
      if (thread && now?.id === conversation.id)
        store.set({ conversation: { ...now, threads: withThreads(now.threads, [thread]) } });
    },
    listChats: (page_id?: string) =>
      request<{ chats_summary: ChatSummary[]; next_page_id?: string }>(
        'list_chats',
        page_id ? { page_id } : { limit: 10 },
      ),
    /** Who would answer: somebody to look at before there is a chat. */
    meetAgent: async (): Promise<void> => {
      const { agent } = await request<{ agent: PredictedAgent }>('get_predicted_agent', {
        group_id: core.options.groupId,
      });
      store.set({ agent });
    },
    acceptGreeting: (): void => {
      const { greeting } = store.get();
      if (!greeting || greeting.accepted) return;
      store.set({ greeting: { ...greeting, accepted: true } });
      quietly('accept_greeting', { greeting_id: greeting.id, unique_id: greeting.unique_id });
    },
    cancelGreeting: (): void => {
      const { greeting } = store.get();
      if (!greeting) return;
      store.set({ greeting: undefined });
      quietly('cancel_greeting', { unique_id: greeting.unique_id });
      core.emit('greeting_hidden', { id: greeting.id, uniqueId: greeting.unique_id });
    },
  };
};

export type Talking = ReturnType<typeof createTalking>;
