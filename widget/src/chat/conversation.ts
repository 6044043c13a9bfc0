import type { Chat, Thread, User } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';

/** The loaded part of a chat: consecutive threads, oldest first. */
export interface Conversation {
  id: string;
  users: User[];
  threads: Thread[];
}

const numberOf = ({ id }: Event): number => Number(id.split('_').at(-1));

/** Merges without duplicates, in thread order. The newer version of an event wins. */
export const mergeEvents = (existing: readonly Event[], more: readonly Event[]): Event[] => {
  const byId = new Map(existing.map((event) => [event.id, event]));
  for (const event of more) byId.set(event.id, event);
  return [...byId.values()].sort((a, b) => numberOf(a) - numberOf(b));
};

const mergeThread = (existing: Thread | undefined, thread: Thread): Thread =>
  existing ? { ...thread, events: mergeEvents(existing.events, thread.events) } : thread;

export const withThreads = (threads: readonly Thread[], more: readonly Thread[]): Thread[] => {
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  for (const thread of more) byId.set(thread.id, mergeThread(byId.get(thread.id), thread));
  return [...byId.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
};

/** Merges a loaded thread into the threads known so far. */
export const withChat = (existing: Conversation | undefined, { id, users, thread }: Chat): Conversation => ({
  id,
  users,
  threads: withThreads(existing?.id === id ? existing.threads : [], thread ? [thread] : []),
});

export const lastThread = (conversation: Conversation | undefined): Thread | undefined => conversation?.threads.at(-1);

export const isActive = (conversation: Conversation | undefined): boolean => !!lastThread(conversation)?.active;

export const changeThread = (
  conversation: Conversation,
  threadId: string,
  change: (thread: Thread) => Thread,
): Conversation => ({
  ...conversation,
  threads: conversation.threads.map((thread) => (thread.id === threadId ? change(thread) : thread)),
});

export const withEvent = (conversation: Conversation, threadId: string, event: Event): Conversation =>
  changeThread(conversation, threadId, (thread) => ({ ...thread, events: mergeEvents(thread.events, [event]) }));

export const withUser = (conversation: Conversation, user: User): Conversation => ({
  ...conversation,
  users: [...conversation.users.filter(({ id }) => id !== user.id), user],
});

export const changeUser = (conversation: Conversation, id: string, change: Partial<User>): Conversation => ({
  ...conversation,
  users: conversation.users.map((user) => (user.id === id ? { ...user, ...change } : user)),
});

/** The agent who is in the chat, or who was last in it. */
export const agentOf = ({ users }: Conversation): User | undefined => {
  const agents = users.filter(({ type }) => type === 'agent');
  return agents.find(({ present }) => present) ?? agents.at(-1);
};

export const countUnread = (conversation: Conversation | undefined, customerId: string | undefined): number => {
  if (!conversation) return 0;
  const seen = conversation.users.find(({ id }) => id === customerId)?.events_seen_up_to ?? '';
  return conversation.threads
    .flatMap(({ events }) => events)
    .filter(({ author_id, created_at }) => author_id && author_id !== customerId && created_at > seen).length;
};

export const withPostback = (
  event: Event,
  { id, toggled }: { id: string; toggled: boolean },
  userId: string,
): Event => ({
  ...event,
  elements: (event.elements as Element[] | undefined)?.map((element) => ({
    ...element,
    buttons: element.buttons?.map((button) => {
      if (button.postback_id !== id) return button;
      const others = (button.user_ids ?? []).filter((user) => user !== userId);
      return { ...button, user_ids: toggled ? [...others, userId] : others };
    }),
  })),
});

/** An element of a rich message. Its content is not validated, hence `unknown`. */
export interface Element {
  title?: unknown;
  subtitle?: unknown;
  image?: { url?: unknown; alternative_text?: unknown };
  buttons?: Button[];
}

export interface Button {
  type?: unknown;
  text?: unknown;
  value?: unknown;
  postback_id?: unknown;
  user_ids?: string[];
}
