import { Type } from 'typebox';
import { Empty } from '../values.ts';
import { ChatId } from './chats.ts';
import { Properties, PropertyNames } from './events.ts';

/** What the property operations of agents and customers have in common. */
const chat = { id: ChatId };
const thread = { chat_id: ChatId, thread_id: ChatId };
const event = { ...thread, event_id: ChatId };
const responses = { 200: Empty };

export const updateChatProperties = {
  name: 'update_chat_properties',
  summary: 'Sets properties of a chat',
  body: Type.Object({ ...chat, properties: Properties }),
  responses,
} as const;

export const deleteChatProperties = {
  name: 'delete_chat_properties',
  summary: 'Deletes properties of a chat',
  body: Type.Object({ ...chat, properties: PropertyNames }),
  responses,
} as const;

export const updateThreadProperties = {
  name: 'update_thread_properties',
  summary: 'Sets properties of a thread, for example its rating',
  body: Type.Object({ ...thread, properties: Properties }),
  responses,
} as const;

export const deleteThreadProperties = {
  name: 'delete_thread_properties',
  summary: 'Deletes properties of a thread',
  body: Type.Object({ ...thread, properties: PropertyNames }),
  responses,
} as const;

export const updateEventProperties = {
  name: 'update_event_properties',
  summary: 'Sets properties of an event',
  body: Type.Object({ ...event, properties: Properties }),
  responses,
} as const;

export const deleteEventProperties = {
  name: 'delete_event_properties',
  summary: 'Deletes properties of an event',
  body: Type.Object({ ...event, properties: PropertyNames }),
  responses,
} as const;
