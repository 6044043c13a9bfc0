import * as contract from '#contracts/agent/chats.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { resumeChat } from '#server/domain/support/chats/lifecycle/resume-chat.ts';
import { startChatWithUsers } from '#server/domain/support/chats/lifecycle/start-chat-with-users.ts';
import { filterFollowedChats, followChat, unfollowChat } from '#server/domain/support/chats/participants/followers.ts';
import { getChat } from '#server/domain/support/chats/read/get-chat.ts';
import { listChats } from '#server/domain/support/chats/read/list-chats.ts';
import { type Action, action } from '#server/http/route.ts';
import { readThreadInput } from '#server/surfaces/chat-v3/parse-event.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { readProperties } from './archives.ts';
import { present } from './present.ts';

const agentAction = action<OrganizationScope>();

const presentEventIds = (eventIds: string[]) => (eventIds.length > 0 ? { event_ids: eventIds } : {});

export const chatActions: Action<OrganizationScope>[] = [
  agentAction(contract.listChats, async ({ body, scope }) => {
    const {
      include_active: includeActive,
      include_archived: includeArchived,
      group_ids: groupIds,
      properties,
    } = body.filters ?? {};
    const page = await listChats(scope, {
      pageId: body.page_id ?? undefined,
      limit: body.limit ?? undefined,
      order: body.sort_order ?? undefined,
      filters: {
        includeActive: includeActive ?? undefined,
        includeArchived: includeArchived ?? undefined,
        groupIds: groupIds ?? undefined,
        properties: properties ? readProperties(properties) : undefined,
      },
      filtered: includeActive != null || includeArchived != null || groupIds != null || properties != null,
    });
    const followed = await filterFollowedChats(
      scope,
      page.items.map(({ id }) => id),
    );
    return {
      chats_summary: page.items.map((chat) => ({ ...present.summary(chat), is_followed: followed.has(chat.id) })),
      found_chats: page.total,
      total_chats: page.total,
      ...presentNeighbours(page),
    };
  }),
  agentAction(contract.getChat, async ({ body, scope }) => {
    const chat = await getChat(scope, { chatId: body.chat_id, threadId: body.thread_id ?? undefined });
    const followed = await filterFollowedChats(scope, [chat.id]);
    return { ...present.chat(chat), is_followed: followed.has(chat.id) };
  }),
  agentAction(contract.startChat, async ({ body, scope }) => {
    const { chatId, threadId, eventIds } = await startChatWithUsers(scope, {
      ...readThreadInput(body.chat, body.active),
      continuous: body.continuous ?? false,
      users: (body.chat?.users ?? []).map(({ id, type }) => ({ kind: type, id })),
    });
    return { chat_id: chatId, thread_id: threadId, ...presentEventIds(eventIds) };
  }),
  agentAction(contract.resumeChat, async ({ body, scope }) => {
    const { threadId, eventIds } = await resumeChat(scope, {
      ...readThreadInput(body.chat, body.active),
      chatId: body.chat.id,
      continuous: body.continuous ?? undefined,
    });
    return { thread_id: threadId, ...presentEventIds(eventIds) };
  }),
  agentAction(contract.deactivateChat, async ({ body, scope }) => {
    const ignoreRequesterPresence = body.ignore_requester_presence ?? false;
    await deactivateChat(scope, { chatId: body.id, ignoreRequesterPresence });
    return {};
  }),
  agentAction(contract.followChat, async ({ body, scope }) => {
    await followChat(scope, { chatId: body.id });
    return {};
  }),
  agentAction(contract.unfollowChat, async ({ body, scope }) => {
    await unfollowChat(scope, { chatId: body.id });
    return {};
  }),
];
