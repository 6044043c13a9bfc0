import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { defineOperation } from '../operation.ts';
import { Empty } from '../values.ts';
import { agentQuery } from './query.ts';

const body = Type.Object({
  chat_id: ChatId,
  thread_id: ChatId,
  tag: Type.String({ minLength: 1, maxLength: 128 }),
});

export const tagThread = defineOperation({
  name: 'tag_thread',
  method: 'POST',
  path: '/v3.5/agent/action/tag_thread',
  summary: 'Adds a tag to a thread; one that is there already changes nothing',
  query: agentQuery,
  body,
  responses: { 200: Empty },
});

export const untagThread = defineOperation({
  name: 'untag_thread',
  method: 'POST',
  path: '/v3.5/agent/action/untag_thread',
  summary: 'Removes a tag from a thread',
  query: agentQuery,
  body,
  responses: { 200: Empty },
});
