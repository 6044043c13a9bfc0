import { type TSchema, Type } from 'typebox';
import { Empty, Nullable, Timestamp } from '../values.ts';
import { ChatId } from './chats.ts';

/** What the event operations of agents and customers have in common. */
export const sendEvent = <Event extends TSchema>(event: Event) =>
  ({
    name: 'send_event',
    summary: 'Sends an event to a chat',
    body: Type.Object({
      chat_id: ChatId,
      event,
      attach_to_last_thread: Type.Optional(
        Nullable(Type.Boolean({ description: 'Default false; true adds the event to an archived chat' })),
      ),
    }),
    responses: { 200: Type.Object({ event_id: Type.String() }) },
  }) as const;

export const retryDescription =
  'A `custom_id` makes retries safe: a second request with the same one returns the first event and sends nothing.';

export const sendRichMessagePostback = {
  name: 'send_rich_message_postback',
  summary: 'Presses or releases a button of a rich message',
  body: Type.Object({
    chat_id: ChatId,
    thread_id: ChatId,
    event_id: ChatId,
    postback: Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }), toggled: Type.Boolean() }),
  }),
  responses: { 200: Empty },
} as const;

export const markEventsAsSeen = {
  name: 'mark_events_as_seen',
  summary: 'Marks the events of a chat as seen up to a point in time',
  body: Type.Object({ chat_id: ChatId, seen_up_to: Timestamp }),
  responses: { 200: Empty },
} as const;
