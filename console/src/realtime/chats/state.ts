import type { Chat, ChatSummary, User } from '#contracts/chat/chats.ts';
import type { Event as ChatEvent } from '#contracts/chat/events.ts';

export type { ChatEvent, User };

type Properties = Chat['properties'];

/** A chat with its latest thread, as far as the console knows it. Immutable, so rows can be compared by reference. */
export interface LiveChat {
  id: string;
  users: User[];
  groupIds: number[];
  properties: Properties;
  isFollowed: boolean;
  active: boolean;
  threadId: string;
  threadCreatedAt: string;
  threadProperties: Properties;
  tags: string[];
  queue: { position: number; wait_time: number; queued_at?: string } | undefined;
  /** Events of the latest thread, in order. */
  events: ChatEvent[];
  /** Whether no event is missing; otherwise the thread must be fetched before it is shown. */
  isComplete: boolean;
  /** Time of the last typing indicator, by user ID. */
  typing: Readonly<Record<string, number>>;
  sneakPeek: { text: string; at: number } | undefined;
}

export type Chats = ReadonlyMap<string, LiveChat>;

export const numberOf = (eventId: string): number => Number(eventId.slice(eventId.lastIndexOf('_') + 1));

/** Merges events in order; of two with the same ID the later one wins. */
export const mergeEvents = (current: ChatEvent[], more: ChatEvent[]): ChatEvent[] => {
  if (more.length === 0) return current;
  const last = current.at(-1);
  const [first] = more;
  // Fast path: one event after all others.
  if (more.length === 1 && (!last || numberOf(first!.id) > numberOf(last.id))) return [...current, first!];
  const byId = new Map([...current, ...more].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => numberOf(a.id) - numberOf(b.id));
};

/** Event numbers start at 1 and are consecutive. */
export const hasGap = (events: ChatEvent[]): boolean => events.some(({ id }, index) => numberOf(id) !== index + 1);

const noTyping = { typing: {}, sneakPeek: undefined };

export const fromChat = (chat: Chat & { is_followed?: boolean }, current?: LiveChat): LiveChat | undefined => {
  const { thread } = chat;
  if (!thread) return undefined;
  const isSameThread = current?.threadId === thread.id;
  return {
    ...noTyping,
    ...(isSameThread ? { typing: current.typing, sneakPeek: current.sneakPeek } : {}),
    id: chat.id,
    users: chat.users,
    groupIds: chat.access.group_ids,
    properties: chat.properties,
    isFollowed: chat.is_followed ?? current?.isFollowed ?? false,
    active: thread.active,
    threadId: thread.id,
    threadCreatedAt: thread.created_at,
    threadProperties: thread.properties,
    tags: thread.tags ?? [],
    queue: thread.queue,
    events: thread.events,
    isComplete: true,
  };
};

/** `afterGap`: pushes may have been missed, so the current events may be incomplete. */
export const fromSummary = (
  summary: ChatSummary & { is_followed?: boolean },
  current: LiveChat | undefined,
  afterGap: boolean,
): LiveChat => {
  const same = current?.threadId === summary.last_thread_id ? current : undefined;
  const last = Object.values(summary.last_event_per_type)
    .filter(({ thread_id: threadId }) => threadId === summary.last_thread_id)
    .map(({ event }) => event)
    .sort((a, b) => numberOf(a.id) - numberOf(b.id));
  const events = mergeEvents(same?.events ?? [], last);
  return {
    ...noTyping,
    threadProperties: {},
    tags: [],
    queue: undefined,
    ...same,
    id: summary.id,
    users: summary.users,
    groupIds: summary.access.group_ids,
    properties: summary.properties,
    isFollowed: summary.is_followed ?? current?.isFollowed ?? false,
    active: summary.active,
    threadId: summary.last_thread_id,
    threadCreatedAt: summary.last_thread_created_at,
    events,
    isComplete: !afterGap && same?.isComplete === true && !hasGap(events),
  };
};
