import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import * as chat from '../chat/event-actions.ts';
import { EventInput } from '../chat/events.ts';
import { Empty } from '../values.ts';
import { customerAction } from './operation.ts';

export const sendEvent = customerAction({ ...chat.sendEvent(EventInput), description: chat.retryDescription });

export const sendRichMessagePostback = customerAction(chat.sendRichMessagePostback);

export const sendSneakPeek = customerAction({
  name: 'send_sneak_peek',
  summary: 'Shows agents what the customer is typing; not stored',
  body: Type.Object({ chat_id: ChatId, sneak_peek_text: Type.String({ maxLength: 16384 }) }),
  responses: { 200: Empty },
});

export const markEventsAsSeen = customerAction(chat.markEventsAsSeen);
