import { type Static, Type } from 'typebox';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { Event, EventInput, Properties } from './events.ts';

export const ChatId = Type.String({ minLength: 1, maxLength: 64 });
export const PageId = Type.String({ minLength: 1, maxLength: 4096 });
export const SortOrder = oneOf('asc', 'desc');

export const Access = Type.Object({ group_ids: Type.Array(Int32()) });

export const User = Type.Object({
  id: Type.String(),
  type: oneOf('customer', 'agent'),
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
  job_title: Type.Optional(Type.String()),
  visibility: Type.Optional(oneOf('all', 'agents')),
  session_fields: Type.Optional(Type.Array(Type.Record(Type.String(), Type.String()))),
  present: Type.Boolean(),
  events_seen_up_to: Type.Optional(Timestamp),
});
export type User = Static<typeof User>;

export const Queue = Type.Object(
  {
    position: Int32({ description: 'Starts at 1, among chats waiting for the same groups' }),
    wait_time: Int32({ description: 'Seconds, estimated from recent waiting times' }),
    queued_at: Timestamp,
  },
  { description: 'Present while the chat waits for an agent' },
);

export const Thread = Type.Object({
  id: Type.String(),
  active: Type.Boolean(),
  user_ids: Type.Array(Type.String()),
  events: Type.Array(Event),
  properties: Properties,
  access: Access,
  tags: Type.Optional(Type.Array(Type.String(), { description: 'Visible to agents only' })),
  queue: Type.Optional(Queue),
  previous_thread_id: Type.Optional(Type.String()),
  next_thread_id: Type.Optional(Type.String()),
  created_at: Timestamp,
});
export type Thread = Static<typeof Thread>;

export const Chat = Type.Object({
  id: Type.String(),
  thread: Type.Optional(Thread),
  users: Type.Array(User),
  access: Access,
  properties: Properties,
});
export type Chat = Static<typeof Chat>;

export const ChatSummary = Type.Object({
  id: Type.String(),
  last_thread_id: Type.String(),
  last_thread_created_at: Timestamp,
  users: Type.Array(User),
  access: Access,
  properties: Properties,
  active: Type.Boolean(),
  last_event_per_type: Type.Record(
    Type.String(),
    Type.Object({ thread_id: Type.String(), thread_created_at: Timestamp, event: Event }),
  ),
});
export type ChatSummary = Static<typeof ChatSummary>;

const pageIds = { next_page_id: Type.Optional(PageId), previous_page_id: Type.Optional(PageId) };

export const ChatList = Type.Object({ chats_summary: Type.Array(ChatSummary), total_chats: Int32(), ...pageIds });
export const ThreadList = Type.Object({ threads: Type.Array(Thread), found_threads: Int32(), ...pageIds });

const ThreadInput = Type.Object({
  events: Type.Optional(Nullable(Type.Array(EventInput, { maxItems: 100 }))),
  properties: Type.Optional(Nullable(Properties)),
});

/** Fields that `start_chat` and `resume_chat` share. */
export const chatInput = {
  access: Type.Optional(
    Nullable(Type.Object({ group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))) })),
  ),
  properties: Type.Optional(Nullable(Properties)),
  thread: Type.Optional(Nullable(ThreadInput)),
};

/** The pagination fields of `list_chats`. */
export const chatPage = (maximum: number) => ({
  limit: Type.Optional(Nullable(Int32({ minimum: 1, maximum, description: 'Default 10' }))),
  sort_order: Type.Optional(Nullable(SortOrder)),
  page_id: Type.Optional(Nullable(PageId)),
});

export const getChatFields = {
  name: 'get_chat',
  summary: 'Returns a chat with one of its threads, by default the latest',
  body: Type.Object({ chat_id: ChatId, thread_id: Type.Optional(Nullable(ChatId)) }),
} as const;

const EventIds = Type.Optional(Type.Array(Type.String()));

export const StartedChat = Type.Object({ chat_id: Type.String(), thread_id: Type.String(), event_ids: EventIds });

export const startsActive = Type.Optional(
  Nullable(Type.Boolean({ description: 'Default true; false creates an archived thread' })),
);

export const resumeChatFields = {
  name: 'resume_chat',
  body: Type.Object({
    chat: Type.Object({ id: ChatId, ...chatInput }),
    active: Type.Optional(Nullable(Type.Boolean())),
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Keeps the current mode if absent' }))),
  }),
  responses: { 200: Type.Object({ thread_id: Type.String(), event_ids: EventIds }) },
} as const;
