import * as contract from '#contracts/chat-ops/chats.ts';
import type { QueryOf } from '#contracts/operation.ts';
import { getArchivedChat } from '#server/domain/archives/get-archived-chat.ts';
import { type ListArchivedChatsInput, listArchivedChats } from '#server/domain/archives/list-archived-chats.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { chatPresenter } from './present-chat.ts';

const agentRoute = route<OrganizationScope>();

type Filters = QueryOf<typeof contract.listChats>;

const readFlag = (flag: 0 | 1 | undefined): boolean | undefined => (flag === undefined ? undefined : flag === 1);

/** No goal, sale, queue, place or missed chat is recorded: to have one finds nothing, to have none finds all. */
const asksForUnrecorded = (query: Filters): boolean =>
  [query.goal, query.sale, query.city, query.region, query.country].some((value) => value !== undefined) ||
  [query.has_goal, query.has_sale, query.queued].includes(1) ||
  query.type === 'missed_chat';

const readFilters = (query: Filters): ListArchivedChatsInput => ({
  dateFrom: query.date_from,
  dateTo: query.date_to,
  timeZone: query.timezone,
  page: query.page,
  customerId: query.visitor_id,
  text: query.query,
  agentLogin: query.agent,
  groupId: query.group,
  rate: query.rate,
  includePending: readFlag(query.include_pending),
  tags: query.tag,
  tagged: readFlag(query.tagged),
  commented: readFlag(query.comment),
  unrecorded: asksForUnrecorded(query),
});

export const chatRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listChats, async ({ query, scope }) => {
    const { items, total, pages, timeZone } = await listArchivedChats(scope, readFilters(query));
    return { chats: items.map(chatPresenter(timeZone)), total, pages };
  }),
  agentRoute(contract.getChat, async ({ params, query, scope }) => {
    const input = { threadId: params.chat_id, timeZone: query.timezone };
    const { chat, timeZone } = await getArchivedChat(scope, input);
    return chatPresenter(timeZone)(chat);
  }),
];
