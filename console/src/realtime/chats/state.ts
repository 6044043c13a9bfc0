import type { Chat, ChatSummary, User } from '#contracts/chat/chats.ts';
import type { Event as ChatEvent } from '#contracts/chat/events.ts';

export type { ChatEvent, User };

type Properties = Chat['properties'];

/** A chat as far as the console knows it, with its latest thread. Never changed in place, so that rows can be compared. */
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
  /** Of the latest thread, in order. */
  events: ChatEvent[];
  /** Whether these are all of them; otherwise the thread must be read before it is shown. */
  isWhole: boolean;
  /** Who writes, and when that was last heard of. */
  typing: Readonly<Record<string, number>>;
  sneakPeek: { text: string; at: number } | undefined;
}

export type Chats = ReadonlyMap<string, LiveChat>;

export const numberOf = (eventId: string): number => Number(eventId.slice(eventId.lastIndexOf('_') + 1));

/** In order, each once; of two with one id the later word counts. */
export const mergeEvents = (known: ChatEvent[], more: ChatEvent[]): ChatEvent[] => {
  if (more.length === 0) return known;
  const last = known.at(-1);
  const [first] = more;
  // Nearly always one event comes after all others.
  if (more.length === 1 && (!last || numberOf(first!.id) > numberOf(last.id))) return [...known, first!];
  const byId = new Map([...known, ...more].map((event) => [event.id, event]));
  return [...byId.values()].sort((a, b) => numberOf(a.id) - numberOf(b.id));
};

/** Numbers begin with 1 and leave none out. */
export const hasGap = (events: ChatEvent[]): boolean => events.some(({ id }, index) => numberOf(id) !== index + 1);

const quiet = { typing: {}, sneakPeek: undefined };

export const fromChat = (chat: Chat & { is_followed?: boolean }, known?: LiveChat): LiveChat | undefined => {
  const { thread } = chat;
  if (!thread) return undefined;
  const isSameThread = known?.threadId === thread.id;
  return {
    ...quiet,
    ...(isSameThread ? { typing: known.typing, sneakPeek: known.sneakPeek } : {}),
    id: chat.id,
    users: chat.users,
    groupIds: chat.access.group_ids,
    properties: chat.properties,
    isFollowed: chat.is_followed ?? known?.isFollowed ?? false,
    active: thread.active,
    threadId: thread.id,
    threadCreatedAt: thread.created_at,
    threadProperties: thread.properties,
    tags: thread.tags ?? [],
    queue: thread.queue,
    events: thread.events,
    isWhole: true,
  };
};

/** `afterGap`: something may have happened of which nobody told us, so what is known of the thread may be too little. */
export const fromSummary = (
  summary: ChatSummary & { is_followed?: boolean },
  known: LiveChat | undefined,
  afterGap: boolean,
): LiveChat => {
  const same = known?.threadId === summary.last_thread_id ? known : undefined;
  const last = Object.values(summary.last_event_per_type)
    .filter(({ thread_id: threadId }) => threadId === summary.last_thread_id)
    .map(({ event }) => event)
    .sort((a, b) => numberOf(a.id) - numberOf(b.id));
  const events = mergeEvents(same?.events ?? [], last);
  return {
    ...quiet,
    threadProperties: {},
    tags: [],
    queue: undefined,
    ...same,
    id: summary.id,
    users: summary.users,
    groupIds: summary.access.group_ids,
    properties: summary.properties,
    isFollowed: summary.is_followed ?? known?.isFollowed ?? false,
    active: summary.active,
    threadId: summary.last_thread_id,
    threadCreatedAt: summary.last_thread_created_at,
    events,
    isWhole: !afterGap && same?.isWhole === true && !hasGap(events),
  };
};
