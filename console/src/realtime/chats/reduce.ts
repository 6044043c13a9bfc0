import type { Push } from '#contracts/chat/frames.ts';
import { changeProperties } from './properties.ts';
import { reduceEvent, reduceEventProperties, reducePostback } from './reduce-events.ts';
import { type Chats, fromChat, type LiveChat, type User } from './state.ts';

/** The chats after a batch of pushes. */
export interface Reduced {
  chats: Chats;
  /** Chats that must be fetched: unknown ones and those with missing events. */
  wanted: Set<string>;
}

type Change = (chat: LiveChat) => LiveChat;

const putUser = (users: User[], user: User): User[] =>
  users.some(({ id }) => id === user.id) ? users.map((one) => (one.id === user.id ? user : one)) : [...users, user];

const patchUser =
  (id: string, patch: Partial<User>): Change =>
  (chat) => ({ ...chat, users: chat.users.map((user) => (user.id === id ? { ...user, ...patch } : user)) });

const inThread =
  (threadId: string, change: Change): Change =>
  (chat) =>
    chat.threadId === threadId ? change(chat) : chat;

/** The chat a push is about and its change; `undefined` for other pushes. */
const changeOf = (push: Push, now: number): { chatId: string; change: Change } | undefined => {
  switch (push.action) {
    case 'incoming_event': {
      const { chat_id: chatId, thread_id: threadId, event } = push.payload;
      return { chatId, change: inThread(threadId, reduceEvent(event)) };
    }
    case 'chat_deactivated': {
      const { chat_id: chatId, thread_id: threadId } = push.payload;
      return {
        chatId,
        change: inThread(threadId, (chat) => ({
          ...chat,
          active: false,
          queue: undefined,
          typing: {},
          sneakPeek: undefined,
        })),
      };
    }
    case 'user_added_to_chat': {
      const { chat_id: chatId, user } = push.payload;
      const answers = user.type === 'agent' && user.visibility !== 'agents';
      return {
        chatId,
        change: (chat) => ({ ...chat, users: putUser(chat.users, user), queue: answers ? undefined : chat.queue }),
      };
    }
    case 'user_removed_from_chat':
      return { chatId: push.payload.chat_id, change: patchUser(push.payload.user_id, { present: false }) };
    case 'events_marked_as_seen': {
      const { chat_id: chatId, user_id: id, seen_up_to: seen } = push.payload;
      return { chatId, change: patchUser(id, { events_seen_up_to: seen }) };
    }
    case 'chat_transferred':
      return { chatId: push.payload.chat_id, change: (chat) => ({ ...chat, queue: push.payload.queue }) };
    case 'chat_access_updated':
      return { chatId: push.payload.id, change: (chat) => ({ ...chat, groupIds: push.payload.access.group_ids }) };
    case 'chat_unfollowed':
      return { chatId: push.payload.chat_id, change: (chat) => ({ ...chat, isFollowed: false }) };
    case 'thread_tagged': {
      const { chat_id: chatId, thread_id: threadId, tag } = push.payload;
      const add: Change = (chat) => (chat.tags.includes(tag) ? chat : { ...chat, tags: [...chat.tags, tag] });
      return { chatId, change: inThread(threadId, add) };
    }
    case 'thread_untagged': {
      const { chat_id: chatId, thread_id: threadId, tag } = push.payload;
      const remove: Change = (chat) => ({ ...chat, tags: chat.tags.filter((one) => one !== tag) });
      return { chatId, change: inThread(threadId, remove) };
    }
    case 'chat_properties_updated':
    case 'chat_properties_deleted':
      return {
        chatId: push.payload.chat_id,
        change: (chat) => ({ ...chat, properties: changeProperties(chat.properties, push) }),
      };
    case 'thread_properties_updated':
    case 'thread_properties_deleted': {
      const { chat_id: chatId, thread_id: threadId } = push.payload;
      const change: Change = (chat) => ({ ...chat, threadProperties: changeProperties(chat.threadProperties, push) });
      return { chatId, change: inThread(threadId, change) };
    }
    case 'event_properties_updated':
    case 'event_properties_deleted':
      return { chatId: push.payload.chat_id, change: inThread(push.payload.thread_id, reduceEventProperties(push)) };
    case 'incoming_rich_message_postback':
      return { chatId: push.payload.chat_id, change: inThread(push.payload.thread_id, reducePostback(push.payload)) };
    case 'incoming_typing_indicator': {
      const { author_id: author, is_typing: isTyping } = push.payload.typing_indicator;
      const change: Change = (chat) => {
        const { [author]: _, ...others } = chat.typing;
        return { ...chat, typing: isTyping ? { ...others, [author]: now } : others };
      };
      return { chatId: push.payload.chat_id, change };
    }
    case 'incoming_sneak_peek': {
      const { text } = push.payload.sneak_peek;
      return {
        chatId: push.payload.chat_id,
        change: (chat) => ({ ...chat, sneakPeek: text === '' ? undefined : { text, at: now } }),
      };
    }
    case 'customer_session_fields_updated':
      return {
        chatId: push.payload.active_chat.chat_id,
        change: patchUser(push.payload.id, { session_fields: push.payload.session_fields }),
      };
    default:
      return undefined;
  }
};

/** These pushes alone are no reason to fetch an unknown chat. */
const TRANSIENT = new Set<Push['action']>([
  'incoming_typing_indicator',
  'incoming_sneak_peek',
  'events_marked_as_seen',
]);

/** Applies pushes in order. Pure: unchanged chats stay the same objects. */
export const reduceChats = (chats: Chats, batch: Push[], ownLogin: string, now: number): Reduced => {
  const next = new Map(chats);
  const wanted = new Set<string>();
  const apply = (chatId: string, change: Change, isTransient: boolean): void => {
    const chat = next.get(chatId);
    if (!chat) {
      if (!isTransient) wanted.add(chatId);
      return;
    }
    const changed = change(chat);
    if (changed !== chat) next.set(chatId, changed);
    if (chat.isComplete && !changed.isComplete) wanted.add(chatId);
  };
  for (const push of batch) {
    if (push.action === 'incoming_chat') {
      const { chat, requester_id: requester } = push.payload;
      const current = next.get(chat.id);
      const isSame = current !== undefined && current.threadId === chat.thread?.id;
      const read = fromChat(chat, current);
      // Following a chat is pushed only to the follower, as another `incoming_chat`.
      if (read) next.set(chat.id, isSame && requester === ownLogin ? { ...read, isFollowed: true } : read);
    } else if (push.action === 'queue_positions_updated') {
      for (const { chat_id: chatId, queue } of push.payload)
        apply(chatId, (chat) => ({ ...chat, queue: { ...chat.queue, ...queue } }), true);
    } else if (push.action === 'customer_updated') {
      const { id, name, email, avatar } = push.payload;
      for (const chat of next.values())
        if (chat.users.some((user) => user.id === id)) apply(chat.id, patchUser(id, { name, email, avatar }), true);
    } else {
      const found = changeOf(push, now);
      if (found) apply(found.chatId, found.change, TRANSIENT.has(push.action));
    }
  }
  return { chats: next, wanted };
};
