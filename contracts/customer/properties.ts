import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Properties, PropertyNames } from '../chat/events.ts';
import { defineOperation } from '../operation.ts';
import { Empty, Int32 } from '../values.ts';
import { customerQuery } from './query.ts';

const description =
  'A customer may write ratings, and what the account lets customers write; the answer to anything else is `authorization`.';

const onChat = { id: ChatId };
const onThread = { chat_id: ChatId, thread_id: ChatId };
const onEvent = { ...onThread, event_id: ChatId };

export const updateChatProperties = defineOperation({
  name: 'update_chat_properties',
  method: 'POST',
  path: '/v3.5/customer/action/update_chat_properties',
  summary: 'Sets properties of a chat',
  description,
  query: customerQuery,
  body: Type.Object({ ...onChat, properties: Properties }),
  responses: { 200: Empty },
});

export const deleteChatProperties = defineOperation({
  name: 'delete_chat_properties',
  method: 'POST',
  path: '/v3.5/customer/action/delete_chat_properties',
  summary: 'Removes properties of a chat',
  description,
  query: customerQuery,
  body: Type.Object({ ...onChat, properties: PropertyNames }),
  responses: { 200: Empty },
});

export const updateThreadProperties = defineOperation({
  name: 'update_thread_properties',
  method: 'POST',
  path: '/v3.5/customer/action/update_thread_properties',
  summary: 'Sets properties of a thread, such as its rating',
  description,
  query: customerQuery,
  body: Type.Object({ ...onThread, properties: Properties }),
  responses: { 200: Empty },
});

export const deleteThreadProperties = defineOperation({
  name: 'delete_thread_properties',
  method: 'POST',
  path: '/v3.5/customer/action/delete_thread_properties',
  summary: 'Removes properties of a thread',
  description,
  query: customerQuery,
  body: Type.Object({ ...onThread, properties: PropertyNames }),
  responses: { 200: Empty },
});

export const updateEventProperties = defineOperation({
  name: 'update_event_properties',
  method: 'POST',
  path: '/v3.5/customer/action/update_event_properties',
  summary: 'Sets properties of an event',
  description,
  query: customerQuery,
  body: Type.Object({ ...onEvent, properties: Properties }),
  responses: { 200: Empty },
});

export const deleteEventProperties = defineOperation({
  name: 'delete_event_properties',
  method: 'POST',
  path: '/v3.5/customer/action/delete_event_properties',
  summary: 'Removes properties of an event',
  description,
  query: customerQuery,
  body: Type.Object({ ...onEvent, properties: PropertyNames }),
  responses: { 200: Empty },
});

const filter = {
  namespace: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.Optional(Type.String({ maxLength: 100 })),
};

export const listLicenseProperties = defineOperation({
  name: 'list_license_properties',
  method: 'GET',
  path: '/v3.5/customer/action/list_license_properties',
  summary: 'The properties of the account that customers may read',
  public: true,
  query: Type.Object({ ...customerQuery.properties, ...filter }),
  responses: { 200: Properties },
});

export const listGroupProperties = defineOperation({
  name: 'list_group_properties',
  method: 'GET',
  path: '/v3.5/customer/action/list_group_properties',
  summary: 'The properties of a group that customers may read',
  public: true,
  query: Type.Object({ ...customerQuery.properties, id: Int32({ description: 'The group' }), ...filter }),
  responses: { 200: Properties },
});
