import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Empty } from '../values.ts';
import { agentAction } from './operation.ts';

const body = Type.Object({
  chat_id: ChatId,
  thread_id: ChatId,
  tag: Type.String({ minLength: 1, maxLength: 128 }),
});

export const tagThread = agentAction({
  name: 'tag_thread',
  scopes: ['archives_write'],
  summary: 'Adds a tag to a thread; adding an existing tag has no effect',
  body,
  responses: { 200: Empty },
});

export const untagThread = agentAction({
  name: 'untag_thread',
  scopes: ['archives_write'],
  summary: 'Removes a tag from a thread',
  body,
  responses: { 200: Empty },
});
