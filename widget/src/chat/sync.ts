import type { Chat, ChatSummary } from '#contracts/chat/chats.ts';
import type { Push } from '../core.ts';
import { type ChatContext, startView } from './chat-context.ts';
import { type Conversation, isActive, lastThread, withChat } from './conversation.ts';

/** How many threads are loaded to close a gap after a long disconnect. */
const MAX_MISSED_THREADS = 10;

export interface Sync {
  /** Loads the current chat. Pushes that arrive meanwhile are applied afterwards. */
  read(chatId?: string): Promise<void>;
  push(push: Push): void;
  /** The chat that the next thread is added to. */
  latestChatId(): string | undefined;
}

export const createSync = (context: ChatContext, applyPush: (push: Push) => void): Sync => {
  const { core, store } = context;
  const { request } = core.connection;
  let buffered: Push[] | undefined;
  let reading: Promise<void> | undefined;
  let latest: string | undefined;

  const getChat = (chat_id: string, thread_id?: string): Promise<Chat> =>
    request<Chat>('get_chat', { chat_id, thread_id });

  /** Loads the newest thread and all threads between it and the known ones. */
  const readChat = async (id: string): Promise<Conversation> => {
    const shown = store.get().conversation;
    const existing = shown?.id === id ? shown : undefined;
    const chat = await getChat(id);
    let conversation = withChat(existing, chat);
    const last = lastThread(existing)?.id;
    if (!last || last === chat.thread?.id) return conversation;
    let before = chat.thread?.previous_thread_id;
    for (let missed = 0; before && missed < MAX_MISSED_THREADS; missed++) {
      const { thread } = await getChat(id, before);
      conversation = withChat(conversation, { ...chat, thread });
      before = before === last ? undefined : thread?.previous_thread_id;
    }
    return conversation;
  };

  const chooseChat = (chats: ChatSummary[], requestedId: string | undefined): string | undefined => {
    const unread = core.connection.login()?.chats.filter(({ has_unread_events }) => has_unread_events);
    const ended = store.get().isLoaded ? store.get().conversation?.id : unread?.[0]?.chat_id;
    return requestedId ?? chats.find(({ active }) => active)?.id ?? ended;
  };

  const readNow = async (requestedId?: string): Promise<void> => {
    buffered = [];
    try {
      const { chats_summary: chats } = await request<{ chats_summary: ChatSummary[] }>('list_chats', { limit: 25 });
      latest = chats[0]?.id;
      const id = chooseChat(chats, requestedId);
      const conversation = id ? await readChat(id) : undefined;
      const { view, isLoaded } = store.get();
      const shown = isActive(conversation) || requestedId || (conversation && !isLoaded) ? 'chat' : view;
      store.set({
        isLoaded: true,
        conversation: conversation ?? store.get().conversation,
        hasHistory: chats.length > 0,
        view: isLoaded || shown === 'chat' ? shown : startView(context),
      });
    } finally {
      const missed = buffered;
      buffered = undefined;
      for (const push of missed) applyPush(push);
    }
  };

  return {
    read: (requestedId) => {
      // A request during a running load needs state newer than that load returns, so it runs afterwards.
      const run = (reading ?? Promise.resolve()).catch(() => {}).then(() => readNow(requestedId));
      reading = run;
      return run;
    },
    push: (push) => (buffered ? void buffered.push(push) : applyPush(push)),
    latestChatId: () => store.get().conversation?.id ?? latest,
  };
};
