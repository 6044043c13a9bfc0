import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Properties, PropertyNames } from '../chat/events.ts';
import { defineOperation } from '../operation.ts';
import { Empty } from '../values.ts';
import { agentQuery } from './query.ts';

const description =
  'An agent may write what is defined; what is not is `validation`. Removing also works on what is defined no longer.';

const onChat = { id: ChatId };
const onThread = { chat_id: ChatId, thread_id: ChatId };
const onEvent = { ...onThread, event_id: ChatId };

export const updateChatProperties = defineOperation({
  name: 'update_chat_properties',
  method: 'POST',
  path: '/v3.5/agent/action/update_chat_properties',
  summary: 'Sets properties of a chat',
  description,
  query: agentQuery,
  body: Type.Object({ ...onChat, properties: Properties }),
  responses: { 200: Empty },
});

export const deleteChatProperties = defineOperation({
  name: 'delete_chat_properties',
  method: 'POST',
  path: '/v3.5/agent/action/delete_chat_properties',
  summary: 'Removes properties of a chat',
  description,
  query: agentQuery,
  body: Type.Object({ ...onChat, properties: PropertyNames }),
  responses: { 200: Empty },
});

export const updateThreadProperties = defineOperation({
  name: 'update_thread_properties',
  method: 'POST',
  path: '/v3.5/agent/action/update_thread_properties',
  summary: 'Sets properties of a thread, such as its rating',
  description,
  query: agentQuery,
  body: Type.Object({ ...onThread, properties: Properties }),
  responses: { 200: Empty },
});

export const deleteThreadProperties = defineOperation({
  name: 'delete_thread_properties',
  method: 'POST',
  path: '/v3.5/agent/action/delete_thread_properties',
  summary: 'Removes properties of a thread',
  description,
  query: agentQuery,
  body: Type.Object({ ...onThread, properties: PropertyNames }),
  responses: { 200: Empty },
});

export const updateEventProperties = defineOperation({
  name: 'update_event_properties',
  method: 'POST',
  path: '/v3.5/agent/action/update_event_properties',
  summary: 'Sets properties of an event',
  description,
  query: agentQuery,
  body: Type.Object({ ...onEvent, properties: Properties }),
  responses: { 200: Empty },
});

export const deleteEventProperties = defineOperation({
  name: 'delete_event_properties',
  method: 'POST',
  path: '/v3.5/agent/action/delete_event_properties',
  summary: 'Removes properties of an event',
  description,
  query: agentQuery,
  body: Type.Object({ ...onEvent, properties: PropertyNames }),
  responses: { 200: Empty },
});
