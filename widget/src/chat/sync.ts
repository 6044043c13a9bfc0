import type { Chat, ChatSummary } from '#contracts/chat/chats.ts';
import type { Push } from '../core.ts';
import { type Conversation, isActive, lastThread, withChat } from './conversation.ts';
import { type Desk, startView } from './desk.ts';

/** Threads between two looks at a chat; nobody misses more than this in a row. */
const MOST_MISSED = 10;

export interface Sync {
  /** Reads the chat as the server has it now. Pushes that come meanwhile are taken after it. */
  read(chatId?: string): Promise<void>;
  push(push: Push): void;
  /** The chat that the next thread belongs to. */
  latestChatId(): string | undefined;
}

export const createSync = (desk: Desk, take: (push: Push) => void): Sync => {
  const { core, store } = desk;
  const { request } = core.connection;
  let early: Push[] | undefined;
  let reading: Promise<void> | undefined;
  let latest: string | undefined;

  const getChat = (chat_id: string, thread_id?: string): Promise<Chat> =>
    request<Chat>('get_chat', { chat_id, thread_id });

  /** The newest thread, and whatever was written between what is known and it. */
  const readChat = async (id: string): Promise<Conversation> => {
    const shown = store.get().conversation;
    const known = shown?.id === id ? shown : undefined;
    const chat = await getChat(id);
    let conversation = withChat(known, chat);
    const last = lastThread(known)?.id;
    if (!last || last === chat.thread?.id) return conversation;
    let before = chat.thread?.previous_thread_id;
    for (let missed = 0; before && missed < MOST_MISSED; missed++) {
      const { thread } = await getChat(id, before);
      conversation = withChat(conversation, { ...chat, thread });
      before = before === last ? undefined : thread?.previous_thread_id;
    }
    return conversation;
  };

  const choose = (chats: ChatSummary[], asked: string | undefined): string | undefined => {
    const unread = core.connection.login()?.chats.filter(({ has_unread_events }) => has_unread_events);
    const ended = store.get().known ? store.get().conversation?.id : unread?.[0]?.chat_id;
    return asked ?? chats.find(({ active }) => active)?.id ?? ended;
  };

  const readNow = async (asked?: string): Promise<void> => {
    early = [];
    try {
      const { chats_summary: chats } = await request<{ chats_summary: ChatSummary[] }>('list_chats', { limit: 25 });
      latest = chats[0]?.id;
      const id = choose(chats, asked);
      const conversation = id ? await readChat(id) : undefined;
      const { view, known } = store.get();
      const shown = isActive(conversation) || asked || (conversation && !known) ? 'chat' : view;
      store.set({
        known: true,
        conversation: conversation ?? store.get().conversation,
        hasHistory: chats.length > 0,
        view: known || shown === 'chat' ? shown : startView(desk),
      });
    } finally {
      const missed = early;
      early = undefined;
      for (const push of missed) take(push);
    }
  };

  return {
    read: (asked) => {
      // Whoever asks while one is under way wants what is true after that.
      const run = (reading ?? Promise.resolve()).catch(() => {}).then(() => readNow(asked));
      reading = run;
      return run;
    },
    push: (push) => (early ? void early.push(push) : take(push)),
    latestChatId: () => store.get().conversation?.id ?? latest,
  };
};
