import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { EventInput } from '../chat/events.ts';
import { defineOperation } from '../operation.ts';
import { Nullable } from '../values.ts';
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
    event: EventInput,
    attach_to_last_thread: Type.Optional(
      Nullable(Type.Boolean({ description: 'Default false; lets an archived chat take the event' })),
    ),
  }),
  responses: { 200: Type.Object({ event_id: Type.String() }) },
});
