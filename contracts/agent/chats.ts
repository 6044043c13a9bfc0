import { Type } from 'typebox';
import { Chat, ChatId, ChatList, PageId, SortOrder } from '../chat/chats.ts';
import { defineOperation } from '../operation.ts';
import { Int32, Nullable } from '../values.ts';
import { agentQuery } from './query.ts';

const ChatFilters = Type.Object({
  include_active: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default true; false lists archived chats only' })),
  ),
  group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))),
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
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 10' })),
    sort_order: Type.Optional(SortOrder),
    page_id: Type.Optional(PageId),
  }),
  responses: {
    200: Type.Object({ ...ChatList.properties, found_chats: Int32({ description: 'The same as `total_chats`' }) }),
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
  responses: { 200: Chat },
});
