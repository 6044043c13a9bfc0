import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { AgentEventInput } from '../chat/events.ts';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { agentQuery } from './query.ts';

export const sendEvent = defineOperation({
  name: 'send_event',
  method: 'POST',
  path: '/v3.5/agent/action/send_event',
  summary: 'Sends an event to a chat',
  description:
    'With the visibility `agents` it is a private note that customers never see. A `custom_id` makes a retry harmless: the same one again answers with the first event and sends nothing.',
  query: agentQuery,
  body: Type.Object({
    chat_id: ChatId,
    event: AgentEventInput,
    attach_to_last_thread: Type.Optional(
      Nullable(Type.Boolean({ description: 'Default false; lets an archived chat take the event' })),
    ),
  }),
  responses: { 200: Type.Object({ event_id: Type.String() }) },
});

export const sendRichMessagePostback = defineOperation({
  name: 'send_rich_message_postback',
  method: 'POST',
  path: '/v3.5/agent/action/send_rich_message_postback',
  summary: 'Presses a button of a rich message, or releases it',
  description: 'The customer learns who pressed it, so the agent must be one whom it sees in the chat.',
  query: agentQuery,
  body: Type.Object({
    chat_id: ChatId,
    thread_id: ChatId,
    event_id: ChatId,
    postback: Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }), toggled: Type.Boolean() }),
  }),
  responses: { 200: Empty },
});

export const sendTypingIndicator = defineOperation({
  name: 'send_typing_indicator',
  method: 'POST',
  path: '/v3.5/agent/action/send_typing_indicator',
  summary: 'Shows that the agent is typing; never stored',
  description: 'The customer is told when it sees the agent in the chat, and the visibility is not `agents`.',
  query: agentQuery,
  body: Type.Object({
    chat_id: ChatId,
    is_typing: Type.Boolean(),
    visibility: Type.Optional(Nullable(oneOf('all', 'agents'))),
    recipients: Type.Optional(Nullable(oneOf('all', 'agents'))),
  }),
  responses: { 200: Empty },
});

export const markEventsAsSeen = defineOperation({
  name: 'mark_events_as_seen',
  method: 'POST',
  path: '/v3.5/agent/action/mark_events_as_seen',
  summary: 'Tells up to when the agent has seen the events of a chat that it is in',
  query: agentQuery,
  body: Type.Object({ chat_id: ChatId, seen_up_to: Timestamp }),
  responses: { 200: Empty },
});

const Ids = Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 254 }), { maxItems: 100 })));

export const multicast = defineOperation({
  name: 'multicast',
  method: 'POST',
  path: '/v3.5/agent/action/multicast',
  summary: 'Pushes something of one’s own to agents and customers who are there; never stored',
  query: agentQuery,
  body: Type.Object({
    recipients: Type.Object({
      agents: Type.Optional(
        Nullable(
          Type.Object({
            all: Type.Optional(Nullable(Type.Boolean())),
            ids: Ids,
            groups: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))),
          }),
        ),
      ),
      customers: Type.Optional(Nullable(Type.Object({ ids: Ids }))),
    }),
    content: Type.Record(Type.String(), Type.Unknown()),
    type: Type.Optional(Nullable(Type.String({ maxLength: 100, description: 'Default `lc2`' }))),
  }),
  responses: { 200: Empty },
});
