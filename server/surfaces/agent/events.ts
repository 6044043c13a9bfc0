import * as contract from '#contracts/agent/events.ts';
import { readEventInput } from '#server/dialects/chat-read.ts';
import { sendEvent } from '#server/domain/chats/send-event.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';

export const eventActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.sendEvent, async ({ body, scope }) => {
    const { eventId } = await sendEvent(scope, {
      chatId: body.chat_id,
      event: readEventInput(body.event),
      attachToLastThread: body.attach_to_last_thread ?? false,
    });
    return { event_id: eventId };
  }),
];
