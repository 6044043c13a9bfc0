import { Type } from 'typebox';
import { Chat, ChatId, ChatList, chatInput, PageId, SortOrder } from '../chat/chats.ts';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, Nullable } from '../values.ts';
import { customerQuery } from './query.ts';

export const listChats = defineOperation({
  name: 'list_chats',
  method: 'POST',
  path: '/v3.5/customer/action/list_chats',
  summary: "The customer's chats, sorted by the creation of their last thread",
  query: customerQuery,
  body: Type.Object({
    limit: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 25, description: 'Default 10' }))),
    sort_order: Type.Optional(Nullable(SortOrder)),
    page_id: Type.Optional(Nullable(PageId)),
  }),
  responses: { 200: ChatList },
});

export const getChat = defineOperation({
  name: 'get_chat',
  method: 'POST',
  path: '/v3.5/customer/action/get_chat',
  summary: 'One chat with one of its threads, the latest when none is named',
  query: customerQuery,
  body: Type.Object({ chat_id: ChatId, thread_id: Type.Optional(Nullable(ChatId)) }),
  responses: { 200: Chat },
});

export const startChat = defineOperation({
  name: 'start_chat',
  method: 'POST',
  path: '/v3.5/customer/action/start_chat',
  summary: 'Starts a chat',
  query: customerQuery,
  body: Type.Object({
    chat: Type.Optional(Nullable(Type.Object(chatInput))),
    active: Type.Optional(Nullable(Type.Boolean({ description: 'Default true; false creates an archived thread' }))),
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Default false; true needs nobody online' }))),
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
  path: '/v3.5/customer/action/resume_chat',
  summary: 'Opens a new thread in an archived chat',
  query: customerQuery,
  body: Type.Object({
    chat: Type.Object({ id: ChatId, ...chatInput }),
    active: Type.Optional(Nullable(Type.Boolean())),
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Absent leaves the mode as it is' }))),
  }),
  responses: { 200: Type.Object({ thread_id: Type.String(), event_ids: Type.Optional(Type.Array(Type.String())) }) },
});

export const sendTranscript = defineOperation({
  name: 'send_transcript',
  method: 'POST',
  path: '/v3.5/customer/action/send_transcript',
  summary: 'Mails what was said in a thread',
  description:
    'Once an agent has answered in it. At most 3 an hour of one thread, 5 an hour to one address and 60 an hour for all customers of an account; beyond that `too_many_requests`.',
  query: customerQuery,
  body: Type.Object({
    chat_id: ChatId,
    thread_id: ChatId,
    email: Type.String({ minLength: 3, maxLength: 254, examples: ['someone@example.com'] }),
  }),
  responses: { 200: Empty },
});

export const deactivateChat = defineOperation({
  name: 'deactivate_chat',
  method: 'POST',
  path: '/v3.5/customer/action/deactivate_chat',
  summary: 'Closes the open thread of a chat',
  query: customerQuery,
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});
