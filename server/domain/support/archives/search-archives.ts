import { requireAgent, visibleGroups } from '../../access.ts';
import { invalid } from '../../errors.ts';
import { openValues, pageOf, type Values } from '../../page-sql.ts';
import { type PageInput, type PageState, readingOrder, resolvePage, slicePage } from '../../paging.ts';
import type { OrganizationScope } from '../../scope.ts';
import { toChat } from '../chats/read/read-rows.ts';
import {
  CHAT,
  JOIN_PRESENCE,
  joinCustomer,
  READER,
  readerOf,
  readThread,
  readUsers,
  THREAD,
  type ThreadJson,
  USERS,
  type UserColumns,
} from '../chats/read/read-sql.ts';
import type { ChatRecord, ChatWithThread, Page } from '../chats/records.ts';
import { type SearchFilters, searchConditions } from './search-filters.ts';

interface Row extends ChatRecord, UserColumns {
  thread: ThreadJson;
}

const DEFAULT_LIMIT = 10;

/** Threads of the agent's groups, and of chats in which the agent is present. */
const visibleTo = (scope: OrganizationScope, { add }: Values): string[] => {
  const agent = requireAgent(scope.actor);
  const groups = visibleGroups(agent);
  if (groups === undefined) return [];
  return [
    `(t.group_ids && ${add(groups)}::int[] or exists (
      select from chat_users v where v.organization_id = $1 and v.chat_id = c.id and v.kind = 'agent'
        and v.user_id = ${add(agent.id)} and v.present))`,
  ];
};

/** The ended threads that match the filters, joined with their chats and customers. */
const foundThreads = (scope: OrganizationScope, filters: SearchFilters, values: Values): string =>
  [
    `threads t
  join chats c on c.organization_id = $1 and c.id = t.chat_id
  left join customers k on k.organization_id = $1 and k.id = c.customer_id
  where t.organization_id = $1 and not t.active and not c.anonymized`,
    ...visibleTo(scope, values),
    ...searchConditions(scope.organizationId, filters, values),
  ].join('\n  and ');

const count = async (scope: OrganizationScope, filters: SearchFilters): Promise<number> => {
  const params = openValues(scope.organizationId);
  const text = `select count(*)::int as total from ${foundThreads(scope, filters, params)}`;
  const { rows } = await scope.executor.query<{ total: number }>({ text, values: params.values });
  return rows[0]!.total;
};

const readRows = async (scope: OrganizationScope, state: PageState<SearchFilters>): Promise<Row[]> => {
  const params = openValues(...readerOf(scope));
  const found = foundThreads(scope, state.filters, params);
  const { from, inOrder } = pageOf(state, { at: 't.created_at', id: 't.id' }, params);
  const order = readingOrder(state);
  const text = `
with page as (select t.id from ${found} ${from} ${inOrder})
select ${CHAT}, ${USERS}, (select row_to_json(one) from (select ${THREAD}) one) as thread
from page p
join threads t on t.organization_id = $1 and t.id = p.id
join chats c on c.organization_id = $1 and c.id = t.chat_id
cross join ${READER}${joinCustomer('c')}${JOIN_PRESENCE}
order by t.created_at ${order}, t.id ${order}`;
  const { rows } = await scope.executor.query<Row>({ text, values: params.values });
  return rows;
};

const toFound = (row: Row): ChatWithThread => ({
  ...toChat(row),
  users: readUsers(row),
  thread: readThread(row.thread, row.customerId),
});

/** One page of ended threads, each with its chat. */
export const searchArchives = async (
  scope: OrganizationScope,
  input: PageInput<SearchFilters>,
): Promise<Page<ChatWithThread>> => {
  const { from, to } = input.filters;
  if (from !== undefined && to !== undefined && from > to) throw invalid('filters.from', 'must not be after `to`');
  const state = resolvePage(scope, 'archives', input, DEFAULT_LIMIT);
  if (state.filters.query !== undefined)
    await scope.services.projections.applyPending(scope.organizationId, 'archive_search');
  const [found, total] = await Promise.all([readRows(scope, state), count(scope, state.filters)]);
  const { rows, ...pageIds } = slicePage(scope, 'archives', state, found, ({ thread }) => ({
    at: new Date(thread.createdAt).toISOString(),
    id: thread.id,
  }));
  return { items: rows.map(toFound), total, ...pageIds };
};
