import * as contract from '#contracts/agent/chats.ts';
import { presentNeighbours } from '#server/dialects/chat-present.ts';
import { getChat } from '#server/domain/chats/get-chat.ts';
import { listChats } from '#server/domain/chats/list-chats.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';
import { present } from './present.ts';

export const chatActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.listChats, async ({ body, scope }) => {
    const { include_active: includeActive, group_ids: groupIds } = body.filters ?? {};
    const page = await listChats(scope, {
      pageId: body.page_id,
      limit: body.limit,
      order: body.sort_order,
      filters: { includeActive: includeActive ?? undefined, groupIds: groupIds ?? undefined },
      filtered: includeActive != null || groupIds != null,
    });
    return {
      chats_summary: page.items.map(present.summary),
      found_chats: page.total,
      total_chats: page.total,
      ...presentNeighbours(page),
    };
  }),
  action<OrganizationScope>()(contract.getChat, async ({ body, scope }) =>
    present.chat(await getChat(scope, { chatId: body.chat_id, threadId: body.thread_id ?? undefined })),
  ),
];
