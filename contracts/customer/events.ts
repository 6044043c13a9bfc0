import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { EventInput } from '../chat/events.ts';
import { defineOperation } from '../operation.ts';
import { Empty, Nullable, Timestamp } from '../values.ts';
import { customerQuery } from './query.ts';

export const sendEvent = defineOperation({
  name: 'send_event',
  method: 'POST',
  path: '/v3.5/customer/action/send_event',
  summary: 'Sends an event to a chat',
  description:
    'A `custom_id` makes a retry harmless: the same one again answers with the first event and sends nothing.',
  query: customerQuery,
  body: Type.Object({
    chat_id: ChatId,
    event: EventInput,
    attach_to_last_thread: Type.Optional(
      Nullable(Type.Boolean({ description: 'Default false; lets an archived chat take the event' })),
    ),
  }),
  responses: { 200: Type.Object({ event_id: Type.String() }) },
});

export const sendRichMessagePostback = defineOperation({
  name: 'send_rich_message_postback',
  method: 'POST',
  path: '/v3.5/customer/action/send_rich_message_postback',
  summary: 'Presses a button of a rich message, or releases it',
  query: customerQuery,
  body: Type.Object({
    chat_id: ChatId,
    thread_id: ChatId,
    event_id: ChatId,
    postback: Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }), toggled: Type.Boolean() }),
  }),
  responses: { 200: Empty },
});

export const sendSneakPeek = defineOperation({
  name: 'send_sneak_peek',
  method: 'POST',
  path: '/v3.5/customer/action/send_sneak_peek',
  summary: 'Shows agents what the customer is typing; never stored',
  query: customerQuery,
  body: Type.Object({ chat_id: ChatId, sneak_peek_text: Type.String({ maxLength: 16384 }) }),
  responses: { 200: Empty },
});

export const markEventsAsSeen = defineOperation({
  name: 'mark_events_as_seen',
  method: 'POST',
  path: '/v3.5/customer/action/mark_events_as_seen',
  summary: 'Tells up to when the customer has seen the events of a chat',
  query: customerQuery,
  body: Type.Object({ chat_id: ChatId, seen_up_to: Timestamp }),
  responses: { 200: Empty },
});
