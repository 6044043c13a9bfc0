import * as contract from '#contracts/chat-ops/chats.ts';
import type { QueryOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { getArchivedChat } from '#server/domain/support/archives/get-archived-chat.ts';
import { type ListArchivedChatsInput, listArchivedChats } from '#server/domain/support/archives/list-archived-chats.ts';
import { sendTranscript } from '#server/domain/support/archives/send-transcript.ts';
import { setTags } from '#server/domain/support/archives/set-tags.ts';
import { type Route, route } from '#server/http/route.ts';
import { dropEmpty, readFlag } from './present.ts';
import { chatPresenter } from './present-chat.ts';

const agentRoute = route<OrganizationScope>();

const readFilters = (query: QueryOf<typeof contract.listChats>): ListArchivedChatsInput => ({
  dateFrom: query.date_from,
  dateTo: query.date_to,
  timeZone: query.timezone,
  page: query.page,
  visitorId: query.visitor_id,
  text: query.query,
  agentLogin: query.agent,
  groupId: query.group,
  goalId: query.goal,
  hasGoal: readFlag(query.has_goal),
  trackerId: query.sale,
  hasSale: readFlag(query.has_sale),
  queued: readFlag(query.queued),
  rate: query.rate,
  includePending: readFlag(query.include_pending),
  tags: query.tag,
  tagged: readFlag(query.tagged),
  commented: readFlag(query.comment),
  city: query.city,
  region: query.region,
  country: query.country,
  type: query.type,
});

const readChat = async (scope: OrganizationScope, threadId: string, requested?: string) => {
  const { chat, timeZone } = await getArchivedChat(scope, { threadId, timeZone: requested });
  return chatPresenter(timeZone)(chat);
};

export const chatRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listChats, async ({ query, scope }) => {
    const { items, total, pages, timeZone } = await listArchivedChats(scope, readFilters(query));
    return { chats: items.map(chatPresenter(timeZone)), total, pages };
  }),
  agentRoute(contract.getChat, ({ params, query, scope }) => readChat(scope, params.chat_id, query.timezone)),
  agentRoute(contract.sendTranscript, async ({ params, body, scope }) => {
    await sendTranscript(scope, { threadId: params.chat_id, to: body.to });
    return { result: `E-mail has been sent to ${body.to.trim()}.` };
  }),
  agentRoute(contract.updateChatTags, async ({ params, body, scope }) => {
    await setTags(scope, { threadId: params.chat_id, tags: dropEmpty(body.tag) });
    return { chats: [await readChat(scope, params.chat_id)], total: 1, pages: 1 };
  }),
];
