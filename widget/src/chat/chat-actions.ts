import type { ChatSummary, Thread } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import type { ChatContext } from './chat-context.ts';
import { changeThread, changeUser, isActive, lastThread, withPostback, withThreads } from './conversation.ts';
import type { PredictedAgent } from './state.ts';

const SNEAK_PEEK_INTERVAL_MS = 900;

/** Everything a customer does in a chat besides sending messages. */
export const createChatActions = ({ core, store }: ChatContext) => {
  const { request } = core.connection;
  const requestSilently = (action: string, payload: object): void => void request(action, payload).catch(() => {});
  let peekTimer: ReturnType<typeof setTimeout> | undefined;
  let sentPeek = '';
  let typedText = '';
  let seenUpTo = '';

  const peek = (): void => {
    peekTimer = undefined;
    const { conversation } = store.get();
    if (typedText === sentPeek || !conversation || !isActive(conversation)) return;
    sentPeek = typedText;
    requestSilently('send_sneak_peek', { chat_id: conversation.id, sneak_peek_text: typedText.slice(0, 4000) });
    peekTimer = setTimeout(peek, SNEAK_PEEK_INTERVAL_MS);
  };

  const pressButton = (thread: Thread, event: Event, postbackId: string, toggled: boolean): void => {
    const { conversation, customer } = store.get();
    if (!conversation || !customer) return;
    const postback = { id: postbackId, toggled };
    const changed = changeThread(conversation, thread.id, (one) => ({
      ...one,
      events: one.events.map((other) => (other.id === event.id ? withPostback(other, postback, customer.id) : other)),
    }));
    store.set({ conversation: changed });
    requestSilently('send_rich_message_postback', {
      chat_id: conversation.id,
      thread_id: thread.id,
      event_id: event.id,
      postback,
    });
    core.emit('rich_message_button_clicked', { eventId: event.id, postbackId });
  };

  /** Marks all events as seen up to the newest one. */
  const markSeen = (): void => {
    const { conversation, customer } = store.get();
    const last = lastThread(conversation)?.events.at(-1);
    if (!conversation || !customer || !last || last.created_at <= seenUpTo) return;
    seenUpTo = last.created_at;
    store.set({ conversation: changeUser(conversation, customer.id, { events_seen_up_to: seenUpTo }) });
    core.connection.requestWhenOnline('mark_events_as_seen', { chat_id: conversation.id, seen_up_to: seenUpTo });
  };

  return {
    pressButton,
    markSeen,
    setTypedText: (text: string): void => {
      typedText = text;
      if (!peekTimer) peek();
    },
    endChat: async (): Promise<void> => {
      const { conversation } = store.get();
      if (isActive(conversation)) await request('deactivate_chat', { id: conversation!.id });
    },
    emailTranscript: async (email: string): Promise<void> => {
      const { conversation } = store.get();
      const thread = lastThread(conversation);
      await request('send_transcript', { chat_id: conversation!.id, thread_id: thread!.id, email });
    },
    /** Loads the thread before the first one shown. */
    loadEarlierThread: async (): Promise<void> => {
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
    /** Loads the agent who would probably answer, to show before a chat starts. */
    loadPredictedAgent: async (): Promise<void> => {
      const { agent } = await request<{ agent: PredictedAgent }>('get_predicted_agent', {
        group_id: core.options.groupId,
      });
      store.set({ agent });
    },
    acceptGreeting: (): void => {
      const { greeting } = store.get();
      if (!greeting || greeting.accepted) return;
      store.set({ greeting: { ...greeting, accepted: true } });
      requestSilently('accept_greeting', { greeting_id: greeting.id, unique_id: greeting.unique_id });
    },
    cancelGreeting: (): void => {
      const { greeting } = store.get();
      if (!greeting) return;
      store.set({ greeting: undefined });
      requestSilently('cancel_greeting', { unique_id: greeting.unique_id });
      core.emit('greeting_hidden', { id: greeting.id, uniqueId: greeting.unique_id });
    },
  };
};

export type ChatActions = ReturnType<typeof createChatActions>;
