import * as contract from '#contracts/agent/events.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { multicast } from '#server/domain/support/chats/append/multicast.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { sendPostback } from '#server/domain/support/chats/append/send-postback.ts';
import { sendTypingIndicator } from '#server/domain/support/chats/append/send-typing-indicator.ts';
import { markEventsAsSeen } from '#server/domain/support/chats/participants/mark-seen.ts';
import { type Action, action } from '#server/http/route.ts';
import { readEventInput, readTimestamp } from '#server/surfaces/chat-v3/parse-event.ts';

const agentAction = action<OrganizationScope>();

export const eventActions: Action<OrganizationScope>[] = [
  agentAction(contract.sendEvent, async ({ body, scope }) => {
    const { eventId } = await sendEvent(scope, {
      chatId: body.chat_id,
      event: readEventInput(body.event),
      attachToLastThread: body.attach_to_last_thread ?? false,
    });
    return { event_id: eventId };
  }),
  agentAction(contract.sendRichMessagePostback, async ({ body, scope }) => {
    const { chat_id: chatId, thread_id: threadId, event_id: eventId, postback } = body;
    await sendPostback(scope, { chatId, threadId, eventId, postback: { id: postback.id, toggled: postback.toggled } });
    return {};
  }),
  agentAction(contract.sendTypingIndicator, async ({ body, scope }) => {
    const { chat_id: chatId, is_typing: isTyping, visibility, recipients } = body;
    await sendTypingIndicator(scope, { chatId, isTyping, visibility: visibility ?? recipients ?? 'all' });
    return {};
  }),
  agentAction(contract.markEventsAsSeen, async ({ body, scope }) => {
    await markEventsAsSeen(scope, { chatId: body.chat_id, seenUpTo: readTimestamp('seen_up_to', body.seen_up_to) });
    return {};
  }),
  agentAction(contract.multicast, ({ body, scope }) => {
    const { agents, customers } = body.recipients;
    multicast(scope, {
      agents: { all: agents?.all ?? false, ids: agents?.ids ?? [], groupIds: agents?.groups ?? [] },
      customerIds: customers?.ids ?? [],
      kind: body.type || 'lc2',
      content: body.content,
    });
    return {};
  }),
];
