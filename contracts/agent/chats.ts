import { Type } from 'typebox';
import { Chat, ChatId, ChatList, ChatSummary, chatInput, PageId, SortOrder } from '../chat/chats.ts';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { PropertyFilters } from './archives.ts';
import { agentQuery } from './query.ts';

const followed = { is_followed: Type.Boolean() };

const ChatFilters = Type.Object({
  include_active: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default true; false lists archived chats only' })),
  ),
  include_archived: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default true; false lists active chats only' })),
  ),
  include_chats_without_threads: Type.Optional(
    Nullable(Type.Boolean({ description: 'Changes nothing: every chat has a thread' })),
  ),
  group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))),
  properties: Type.Optional(Nullable(PropertyFilters)),
});

export const listChats = defineOperation({
  name: 'list_chats',
  method: 'POST',
  path: '/v3.5/agent/action/list_chats',
  reads: true,
  summary: 'The chats that the agent may see, sorted by the creation of their last thread',
  query: agentQuery,
  body: Type.Object({
    filters: Type.Optional(Nullable(ChatFilters)),
    limit: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100, description: 'Default 10' }))),
    sort_order: Type.Optional(Nullable(SortOrder)),
    page_id: Type.Optional(Nullable(PageId)),
  }),
  responses: {
    200: Type.Object({
      ...ChatList.properties,
      chats_summary: Type.Array(Type.Object({ ...ChatSummary.properties, ...followed })),
      found_chats: Int32({ description: 'The same as `total_chats`' }),
    }),
  },
});

export const getChat = defineOperation({
  name: 'get_chat',
  method: 'POST',
  path: '/v3.5/agent/action/get_chat',
  reads: true,
  summary: 'One chat with one of its threads, the latest when none is named',
  query: agentQuery,
  body: Type.Object({ chat_id: ChatId, thread_id: Type.Optional(Nullable(ChatId)) }),
  responses: { 200: Type.Object({ ...Chat.properties, ...followed }) },
});

const InitialUser = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 254 }),
  type: oneOf('customer', 'agent'),
});

export const startChat = defineOperation({
  name: 'start_chat',
  method: 'POST',
  path: '/v3.5/agent/action/start_chat',
  summary: 'Starts a chat with a customer; the agent answers it',
  description: 'Of `chat.users` one is the customer; agents among them are in the chat from its beginning.',
  query: agentQuery,
  body: Type.Object({
    chat: Type.Optional(
      Nullable(
        Type.Object({ ...chatInput, users: Type.Optional(Nullable(Type.Array(InitialUser, { maxItems: 10 }))) }),
      ),
    ),
    active: Type.Optional(Nullable(Type.Boolean({ description: 'Default true; false creates an archived thread' }))),
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Default false' }))),
  }),
  responses: {
    200: Type.Object({
      chat_id: Type.String(),
      thread_id: Type.String(),
      event_ids: Type.Optional(Type.Array(Type.String())),
    }),
  },
});

export const resumeChat = defineOperation({
  name: 'resume_chat',
  method: 'POST',
  path: '/v3.5/agent/action/resume_chat',
  summary: 'Opens a new thread in an archived chat; the agent answers it',
  description: 'Without `access` the chat stays with its groups.',
  query: agentQuery,
  body: Type.Object({
    chat: Type.Object({ id: ChatId, ...chatInput }),
    active: Type.Optional(Nullable(Type.Boolean())),
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Absent leaves the mode as it is' }))),
  }),
  responses: { 200: Type.Object({ thread_id: Type.String(), event_ids: Type.Optional(Type.Array(Type.String())) }) },
});

export const deactivateChat = defineOperation({
  name: 'deactivate_chat',
  method: 'POST',
  path: '/v3.5/agent/action/deactivate_chat',
  summary: 'Closes the open thread of a chat that the agent is in',
  query: agentQuery,
  body: Type.Object({
    id: ChatId,
    ignore_requester_presence: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'Default false; true lets the owner and administrators close it without being in it',
        }),
      ),
    ),
  }),
  responses: { 200: Empty },
});

export const followChat = defineOperation({
  name: 'follow_chat',
  method: 'POST',
  path: '/v3.5/agent/action/follow_chat',
  summary: 'Marks a chat as one that the agent follows, without being in it',
  query: agentQuery,
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});

export const unfollowChat = defineOperation({
  name: 'unfollow_chat',
  method: 'POST',
  path: '/v3.5/agent/action/unfollow_chat',
  summary: 'Ends the following of a chat',
  query: agentQuery,
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});
