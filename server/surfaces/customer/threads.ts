import * as contract from '#contracts/customer/threads.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listThreads } from '#server/domain/support/chats/read/list-threads.ts';
import { type Action, action } from '#server/http/route.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { presentCached, presentTo } from './present.ts';

export const threadActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.listThreads, async ({ body, scope }) => {
    const page = await listThreads(scope, {
      chatId: body.chat_id,
      pageId: body.page_id ?? undefined,
      limit: body.limit ?? undefined,
      order: body.sort_order ?? undefined,
      minEventsCount: body.min_events_count ?? undefined,
    });
    return presentCached(scope, page, () => ({
      threads: page.items.map(presentTo(scope).thread),
      found_threads: page.total,
      ...presentNeighbours(page),
    }));
  }),
];
