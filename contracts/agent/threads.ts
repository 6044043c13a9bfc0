import { Type } from 'typebox';
import { ChatId, PageId, SortOrder, ThreadList } from '../chat/chats.ts';
import { Int32, Nullable, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';

const ThreadFilters = Type.Object({
  from: Type.Optional(Nullable(Timestamp)),
  to: Type.Optional(Nullable(Timestamp)),
});

export const listThreads = agentAction({
  name: 'list_threads',
  scopes: ['archives_read'],
  reads: true,
  summary: 'Lists the threads of a chat with their events',
  description:
    '`filters` limit the start of a thread. `min_events_count` cannot be combined with `limit` or `filters`. `page_id` cannot be combined with other fields.',
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
