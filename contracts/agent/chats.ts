import { Type } from 'typebox';
import {
  Chat,
  ChatId,
  ChatList,
  ChatSummary,
  chatInput,
  chatPage,
  getChatFields,
  resumeChatFields,
  StartedChat,
  startsActive,
} from '../chat/chats.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { PropertyFilters } from './archives.ts';
import { agentAction } from './operation.ts';

const followed = { is_followed: Type.Boolean() };

const ChatFilters = Type.Object({
  include_active: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default true; false lists archived chats only' })),
  ),
  include_archived: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default true; false lists active chats only' })),
  ),
  include_chats_without_threads: Type.Optional(
    Nullable(Type.Boolean({ description: 'No effect: every chat has a thread' })),
  ),
  group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))),
  properties: Type.Optional(Nullable(PropertyFilters)),
});

export const listChats = agentAction({
  name: 'list_chats',
  scopes: ['archives_read'],
  reads: true,
  summary: 'Lists the chats the agent can access, sorted by the creation date of their last thread',
  body: Type.Object({
    filters: Type.Optional(Nullable(ChatFilters)),
    ...chatPage(100),
  }),
  responses: {
    200: Type.Object({
      ...ChatList.properties,
      chats_summary: Type.Array(Type.Object({ ...ChatSummary.properties, ...followed })),
      found_chats: Int32({ description: 'Same as `total_chats`' }),
    }),
  },
});

export const getChat = agentAction({
  ...getChatFields,
  scopes: ['archives_read'],
  reads: true,
  responses: { 200: Type.Object({ ...Chat.properties, ...followed }) },
});

const InitialUser = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 254 }),
  type: oneOf('customer', 'agent'),
});

export const startChat = agentAction({
  name: 'start_chat',
  scopes: ['archives_write'],
  summary: 'Starts a chat with a customer and assigns it to the agent',
  description: '`chat.users` must contain exactly one customer. Agents in the list join the chat when it starts.',
  body: Type.Object({
    chat: Type.Optional(
      Nullable(
        Type.Object({ ...chatInput, users: Type.Optional(Nullable(Type.Array(InitialUser, { maxItems: 10 }))) }),
      ),
    ),
    active: startsActive,
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Default false' }))),
  }),
  responses: {
    200: StartedChat,
  },
});

export const resumeChat = agentAction({
  ...resumeChatFields,
  scopes: ['archives_write'],
  summary: 'Opens a new thread in an archived chat and assigns it to the agent',
  description: 'Without `access` the chat keeps its groups.',
});

export const deactivateChat = agentAction({
  name: 'deactivate_chat',
  scopes: ['archives_write'],
  summary: 'Closes the active thread of a chat the agent takes part in',
  body: Type.Object({
    id: ChatId,
    ignore_requester_presence: Type.Optional(
      Nullable(
        Type.Boolean({
          description: 'Default false; true lets the owner and administrators close a chat they do not take part in',
        }),
      ),
    ),
  }),
  responses: { 200: Empty },
});

export const followChat = agentAction({
  name: 'follow_chat',
  scopes: ['archives_write'],
  summary: 'Follows a chat without joining it',
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});

export const unfollowChat = agentAction({
  name: 'unfollow_chat',
  scopes: ['archives_write'],
  summary: 'Stops following a chat',
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});
