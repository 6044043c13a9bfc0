import type { Thread } from '#contracts/chat/chats.ts';
import type { Push } from '../core.ts';
import type { ChatContext } from './chat-context.ts';
import {
  type Conversation,
  changeThread,
  changeUser,
  lastThread,
  withChat,
  withEvent,
  withPostback,
  withUser,
} from './conversation.ts';
import { playSound } from './sound.ts';

type Properties = Thread['properties'];

const TYPING_MS = 7_000;

// biome-ignore lint/suspicious/noExplicitAny: the payload depends on the action.
type Payload = any;
type Change = (conversation: Conversation, payload: Payload) => Conversation;

const merge = (existing: Properties, more: Properties): Properties => {
  const merged = { ...existing };
  for (const [space, values] of Object.entries(more)) merged[space] = { ...merged[space], ...values };
  return merged;
};

/** How each push changes the conversation. */
const changes: Record<string, Change> = {
  incoming_event: (chat, { thread_id, event }) => withEvent(chat, thread_id, event),
  chat_deactivated: (chat, { thread_id }) =>
    changeThread(chat, thread_id, (thread) => ({ ...thread, active: false, queue: undefined })),
  user_added_to_chat: (chat, { thread_id, user }) =>
    changeThread(withUser(chat, user), thread_id, (thread) =>
      user.type === 'agent' ? { ...thread, queue: undefined } : thread,
    ),
  user_removed_from_chat: (chat, { user_id }) => changeUser(chat, user_id, { present: false }),
  chat_transferred: (chat, { thread_id, queue }) => changeThread(chat, thread_id, (thread) => ({ ...thread, queue })),
  queue_position_updated: (chat, { thread_id, queue }) =>
    changeThread(chat, thread_id, (thread) => ({
      ...thread,
      queue: { queued_at: thread.created_at, ...thread.queue, ...queue },
    })),
  events_marked_as_seen: (chat, { user_id, seen_up_to }) =>
    changeUser(chat, user_id, { events_seen_up_to: seen_up_to }),
  thread_properties_updated: (chat, { thread_id, properties }) =>
    changeThread(chat, thread_id, (thread) => ({ ...thread, properties: merge(thread.properties, properties) })),
  incoming_rich_message_postback: (chat, { thread_id, event_id, user_id, postback }) =>
    changeThread(chat, thread_id, (thread) => ({
      ...thread,
      events: thread.events.map((event) => (event.id === event_id ? withPostback(event, postback, user_id) : event)),
    })),
};

export const createPushHandler = (context: ChatContext, readAgain: () => void) => {
  const { core, store } = context;

  const announceEvent = ({ event }: Payload): void => {
    const own = event.author_id === store.get().customer?.id;
    const author = { id: event.author_id, type: own ? 'customer' : event.author_id ? 'agent' : 'system' };
    core.emit('new_event', { ...event, author, timestamp: Date.parse(event.created_at) });
    if (!own && event.author_id) playSound();
    if (store.get().typing?.id === event.author_id) store.set({ typing: undefined });
  };

  const onChat = ({ chat }: Payload): void => {
    // Tickets create inactive threads, which are not shown.
    if (!chat.thread.active) return;
    const { conversation } = store.get();
    const lastThreadId = lastThread(conversation)?.id;
    const follows =
      conversation?.id === chat.id && [chat.thread.id, chat.thread.previous_thread_id].includes(lastThreadId);
    store.set({ conversation: withChat(follows ? conversation : undefined, chat), view: 'chat', greeting: undefined });
    if (conversation?.id === chat.id && !follows) readAgain();
  };

  const onTyping = ({ typing_indicator: { author_id, is_typing } }: Payload): void => {
    const typing = is_typing ? { id: author_id, until: Date.now() + TYPING_MS } : undefined;
    store.set({ typing });
    if (typing) setTimeout(() => store.get().typing === typing && store.set({ typing: undefined }), TYPING_MS);
  };

  const hideGreeting = ({ unique_id }: Payload): void => {
    if (store.get().greeting?.unique_id !== unique_id) return;
    store.set({ greeting: undefined });
    core.emit('greeting_hidden', { uniqueId: unique_id });
  };

  const others: Record<string, (payload: Payload) => unknown> = {
    incoming_chat: onChat,
    incoming_typing_indicator: onTyping,
    incoming_greeting: (greeting) => {
      store.set({ greeting });
      core.emit('greeting_displayed', { id: greeting.id, uniqueId: greeting.unique_id });
    },
    greeting_canceled: hideGreeting,
    greeting_accepted: (payload) => core.visibility() !== 'maximized' && hideGreeting(payload),
    customer_updated: (customer) => store.set({ customer }),
    queue_positions_updated: (positions) => {
      for (const payload of positions) applyPush({ action: 'queue_position_updated', payload });
    },
  };

  const applyPush = ({ action, payload }: Push): void => {
    others[action]?.(payload);
    const change = changes[action];
    if (!change) return;
    const { conversation } = store.get();
    if (!conversation || conversation.id !== payload.chat_id) {
      if (action === 'incoming_event') readAgain();
      return;
    }
    const isKnownThread = !payload.thread_id || conversation.threads.some(({ id }) => id === payload.thread_id);
    if (!isKnownThread) {
      readAgain();
      return;
    }
    store.set({ conversation: change(conversation, payload) });
    if (action === 'incoming_event') announceEvent(payload);
  };
  return applyPush;
};
