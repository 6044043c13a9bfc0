import * as contract from '#contracts/agent/tags.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { tagThread, untagThread } from '#server/domain/support/chats/lifecycle/tag-thread.ts';
import { type Action, action } from '#server/http/route.ts';

export const tagActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.tagThread, async ({ body, scope }) => {
    await tagThread(scope, { chatId: body.chat_id, threadId: body.thread_id, tag: body.tag });
    return {};
  }),
  action<OrganizationScope>()(contract.untagThread, async ({ body, scope }) => {
    await untagThread(scope, { chatId: body.chat_id, threadId: body.thread_id, tag: body.tag });
    return {};
  }),
];
