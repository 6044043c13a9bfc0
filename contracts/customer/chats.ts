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
  summary: 'Lists the customer’s chats, sorted by the creation date of their last thread',
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
    continuous: Type.Optional(
      Nullable(Type.Boolean({ description: 'Default false; true allows starting the chat while no agent is online' })),
    ),
  }),
  responses: {
    200: StartedChat,
  },
});

export const resumeChat = customerAction({ ...resumeChatFields, summary: 'Opens a new thread in an archived chat' });

export const sendTranscript = customerAction({
  name: 'send_transcript',
  summary: 'Emails the transcript of a thread',
  description:
    'Available once an agent has replied in the thread. Limited to 3 per hour and thread, 5 per hour and recipient, and 60 per hour for all customers of an account; beyond that, fails with `too_many_requests`.',
  body: Type.Object({
    chat_id: ChatId,
    thread_id: ChatId,
    email: Type.String({ minLength: 3, maxLength: 254, examples: ['someone@example.com'] }),
  }),
  responses: { 200: Empty },
});

export const deactivateChat = customerAction({
  name: 'deactivate_chat',
  summary: 'Closes the active thread of a chat',
  body: Type.Object({ id: ChatId }),
  responses: { 200: Empty },
});
