import { Type } from 'typebox';
import { ChatId, PageId, SortOrder, ThreadList } from '../chat/chats.ts';
import { Int32, Nullable } from '../values.ts';
import { customerAction } from './operation.ts';

export const listThreads = customerAction({
  name: 'list_threads',
  summary: 'Lists the threads of a chat with their events',
  description: '`limit` and `min_events_count` cannot be combined. `page_id` cannot be combined with other fields.',
  body: Type.Object({
    chat_id: ChatId,
    sort_order: Type.Optional(Nullable(SortOrder)),
    limit: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100, description: 'Default 3' }))),
    page_id: Type.Optional(Nullable(PageId)),
    min_events_count: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100 }))),
  }),
  responses: { 200: ThreadList },
});
