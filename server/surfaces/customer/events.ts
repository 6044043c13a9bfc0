import * as contract from '#contracts/customer/events.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { sendPostback } from '#server/domain/support/chats/append/send-postback.ts';
import { sendSneakPeek } from '#server/domain/support/chats/append/send-sneak-peek.ts';
import { markEventsAsSeen } from '#server/domain/support/chats/participants/mark-seen.ts';
import { type Action, action } from '#server/http/route.ts';
import { readEventInput, readTimestamp } from '#server/surfaces/chat-v3/parse-event.ts';
import type { CustomerQuotas } from './quotas.ts';

export const eventActions = (quotas: CustomerQuotas): Action<OrganizationScope>[] => [
  action<OrganizationScope>()(contract.sendEvent, async ({ body, scope }) => {
    const event = readEventInput(body.event);
    quotas.countTickets(scope, [event]);
    const { eventId } = await sendEvent(scope, {
      chatId: body.chat_id,
      event,
      attachToLastThread: body.attach_to_last_thread ?? false,
    });
    return { event_id: eventId };
  }),
  action<OrganizationScope>()(contract.sendRichMessagePostback, async ({ body, scope }) => {
    const { chat_id: chatId, thread_id: threadId, event_id: eventId, postback } = body;
    await sendPostback(scope, { chatId, threadId, eventId, postback: { id: postback.id, toggled: postback.toggled } });
    return {};
  }),
  action<OrganizationScope>()(contract.sendSneakPeek, async ({ body, scope }) => {
    await sendSneakPeek(scope, { chatId: body.chat_id, text: body.sneak_peek_text });
    return {};
  }),
  action<OrganizationScope>()(contract.markEventsAsSeen, async ({ body, scope }) => {
    await markEventsAsSeen(scope, { chatId: body.chat_id, seenUpTo: readTimestamp('seen_up_to', body.seen_up_to) });
    return {};
  }),
];
