import * as contract from '#contracts/customer/chats.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { sendOwnTranscript } from '#server/domain/support/archives/send-transcript.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { resumeChat } from '#server/domain/support/chats/lifecycle/resume-chat.ts';
import { startChat } from '#server/domain/support/chats/lifecycle/start-chat.ts';
import { getChat } from '#server/domain/support/chats/read/get-chat.ts';
import { listChats } from '#server/domain/support/chats/read/list-chats.ts';
import { type Action, action } from '#server/http/route.ts';
import { readThreadInput } from '#server/surfaces/chat-v3/parse-event.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { presentCached, presentTo } from './present.ts';
import type { CustomerQuotas } from './quotas.ts';

const customerAction = action<OrganizationScope>();

const presentEventIds = (eventIds: string[]) => (eventIds.length > 0 ? { event_ids: eventIds } : {});

export const chatActions = (quotas: CustomerQuotas): Action<OrganizationScope>[] => [
  customerAction(contract.listChats, async ({ body, scope }) => {
    const page = await listChats(scope, {
      pageId: body.page_id ?? undefined,
      limit: body.limit ?? undefined,
      order: body.sort_order ?? undefined,
      filters: {},
    });
    return presentCached(scope, page, () => ({
      chats_summary: page.items.map(presentTo(scope).summary),
      total_chats: page.total,
      ...presentNeighbours(page),
    }));
  }),
  customerAction(contract.getChat, async ({ body, scope }) => {
    const chat = await getChat(scope, { chatId: body.chat_id, threadId: body.thread_id ?? undefined });
    return presentCached(scope, chat, () => presentTo(scope).chat(chat));
  }),
  customerAction(contract.startChat, async ({ body, scope }) => {
    const input = { ...readThreadInput(body.chat, body.active), continuous: body.continuous ?? false };
    quotas.countChat(scope);
    quotas.countTickets(scope, input.events);
    const { chatId, threadId, eventIds } = await startChat(scope, input);
    return { chat_id: chatId, thread_id: threadId, ...presentEventIds(eventIds) };
  }),
  customerAction(contract.resumeChat, async ({ body, scope }) => {
    const input = {
      ...readThreadInput(body.chat, body.active),
      chatId: body.chat.id,
      continuous: body.continuous ?? undefined,
    };
    quotas.countChat(scope);
    quotas.countTickets(scope, input.events);
    const { threadId, eventIds } = await resumeChat(scope, input);
    return { thread_id: threadId, ...presentEventIds(eventIds) };
  }),
  customerAction(contract.deactivateChat, async ({ body, scope }) => {
    await deactivateChat(scope, { chatId: body.id });
    return {};
  }),
  customerAction(contract.sendTranscript, async ({ body, scope }) => {
    await sendOwnTranscript(scope, { chatId: body.chat_id, threadId: body.thread_id, email: body.email });
    return {};
  }),
];
