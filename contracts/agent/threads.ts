import { Type } from 'typebox';
import { ChatId, PageId, SortOrder, ThreadList } from '../chat/chats.ts';
import { defineOperation } from '../operation.ts';
import { Int32, Nullable, Timestamp } from '../values.ts';
import { agentQuery } from './query.ts';

const ThreadFilters = Type.Object({
  from: Type.Optional(Nullable(Timestamp)),
  to: Type.Optional(Nullable(Timestamp)),
});

export const listThreads = defineOperation({
  name: 'list_threads',
  method: 'POST',
  path: '/v3.5/agent/action/list_threads',
  reads: true,
  summary: 'The threads of a chat with their events',
  description:
    '`filters` say when a thread must have begun. `limit` and `filters` cannot be combined with `min_events_count`; nor can anything be combined with `page_id`.',
  query: agentQuery,
  body: Type.Object({
    chat_id: ChatId,
    sort_order: Type.Optional(Nullable(SortOrder)),
    limit: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100, description: 'Default 3' }))),
    page_id: Type.Optional(Nullable(PageId)),
    min_events_count: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100 }))),
    filters: Type.Optional(Nullable(ThreadFilters)),
  }),
  responses: { 200: ThreadList },
});
