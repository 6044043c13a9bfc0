import { Type } from 'typebox';
import {
  Chat,
  ChatId,
  ChatList,
  chatInput,
  chatPage,
  getChatFields,
  resumeChatFields,
  StartedChat,
  startsActive,
} from '../chat/chats.ts';
import { Empty, Nullable } from '../values.ts';
import { customerAction } from './operation.ts';

export const listChats = customerAction({
  name: 'list_chats',
  summary: "The customer's chats, sorted by the creation of their last thread",
  body: Type.Object({
    ...chatPage(25),
  }),
  responses: { 200: ChatList },
});

export const getChat = customerAction({ ...getChatFields, responses: { 200: Chat } });

export const startChat = customerAction({
  name: 'start_chat',
  summary: 'Starts a chat',
  body: Type.Object({
    chat: Type.Optional(Nullable(Type.Object(chatInput))),
    active: startsActive,
    continuous: Type.Optional(Nullable(Type.Boolean({ description: 'Default false; true needs nobody online' }))),
  }),
  responses: {
    200: StartedChat,
  },
});

export const resumeChat = customerAction({ ...resumeChatFields, summary: 'Opens a new thread in an archived chat' });

export const sendTranscript = customerAction({
  name: 'send_transcript',
  summary: 'Mails what was said in a thread',
  description:
    'Once an agent has answered in it. At most 3 an hour of one thread, 5 an hour to one address and 60 an hour for all customers of an account; beyond that `too_many_requests`.',
  body: Type.Object({
    chat_id: ChatId,
    thread_id: ChatId,
    email: Type.String({ minLength: 3, maxLength: 254, examples: ['someone@example.com'] }),
  }),
  responses: { 200: Empty },
});

export const deactivateChat = customerAction({
  name: 'deactivate_chat',
  summary: 'Closes the open thread of a chat',
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});
