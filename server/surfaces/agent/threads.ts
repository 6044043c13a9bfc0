import * as contract from '#contracts/agent/threads.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listThreads } from '#server/domain/support/chats/read/list-threads.ts';
import { type Action, action } from '#server/http/route.ts';
import { readTimestamp } from '#server/surfaces/chat-v3/parse-event.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { present } from './present.ts';

export const threadActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.listThreads, async ({ body, scope }) => {
    const { from, to } = body.filters ?? {};
    const page = await listThreads(scope, {
      chatId: body.chat_id,
      pageId: body.page_id ?? undefined,
      limit: body.limit ?? undefined,
      order: body.sort_order ?? undefined,
      minEventsCount: body.min_events_count ?? undefined,
      from: from ? readTimestamp('filters.from', from) : undefined,
      to: to ? readTimestamp('filters.to', to) : undefined,
    });
    return { threads: page.items.map(present.thread), found_threads: page.total, ...presentNeighbours(page) };
  }),
];
