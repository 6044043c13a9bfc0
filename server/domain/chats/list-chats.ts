import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import type { Tables } from '#server/storage/tables/index.ts';
import { visibleGroups } from '../access.ts';
import { DomainError } from '../errors.ts';
import { cutPage, type PageInput, type PageState, readingOrder, readPage } from '../paging.ts';
import type { OrganizationScope } from '../scope.ts';
import { loadUsers } from './load-users.ts';
import { toChat, toEvent } from './read-rows.ts';
import type { ChatSummary, Page } from './records.ts';

export interface ChatFilters {
  includeActive?: boolean;
  groupIds?: number[];
}

type ChatRow = Selectable<ChatsTable>;
type ChatQuery = SelectQueryBuilder<Tables, 'chats', object>;

const DEFAULT_LIMIT = 10;

const sharesGroup = (groupIds: number[]) => sql<boolean>`chats.group_ids && ${groupIds}::int[]`;

const ownChats = (scope: OrganizationScope): ChatQuery => {
  const query = scope.from('chats').where('anonymized', '=', false);
  if (scope.actor.kind === 'customer') return query.where('customerId', '=', scope.actor.id);
  if (scope.actor.kind !== 'agent') throw new DomainError('forbidden', 'You may not list chats');
  const groups = visibleGroups(scope.actor);
  return groups ? query.where(sharesGroup(groups)) : query;
};

const filtered = (query: ChatQuery, filters: ChatFilters): ChatQuery => {
  let result = query;
  if (filters.includeActive === false) result = result.where('active', '=', false);
  if (filters.groupIds) result = result.where(sharesGroup(filters.groupIds));
  return result;
};

const readRows = (query: ChatQuery, state: PageState<ChatFilters>): Promise<ChatRow[]> => {
  const order = readingOrder(state);
  const { cursor } = state;
  const from = cursor
    ? query.where((eb) =>
        eb(
          eb.refTuple('chats.lastThreadCreatedAt', 'chats.id'),
          order === 'asc' ? '>' : '<',
          eb.tuple(new Date(cursor.at), cursor.id),
        ),
      )
    : query;
  return from
    .orderBy('lastThreadCreatedAt', order)
    .orderBy('id', order)
    .limit(state.limit + 1)
    .selectAll()
    .execute();
};

/** The newest public event of each type, found through the pointers that the chat row keeps. */
const loadLastEvents = async (
  scope: OrganizationScope,
  chats: ChatRow[],
): Promise<Map<string, ChatSummary['lastEventPerType']>> => {
  const result = new Map<string, ChatSummary['lastEventPerType']>(chats.map(({ id }) => [id, {}]));
  const pointers = chats.flatMap((chat) => Object.values(chat.lastEvents));
  if (pointers.length === 0) return result;
  const rows = await scope
    .from('events')
    .innerJoin('threads', (join) =>
      join.onRef('threads.organizationId', '=', 'events.organizationId').onRef('threads.id', '=', 'events.threadId'),
    )
    .where((eb) =>
      eb(
        eb.refTuple('events.threadId', 'events.number'),
        'in',
        pointers.map(([thread, number]) => eb.tuple(thread, number)),
      ),
    )
    .selectAll('events')
    .select('threads.createdAt as threadCreatedAt')
    .execute();
  for (const row of rows) {
    const { threadId, threadCreatedAt, chatId, type } = row;
    result.get(chatId)![type] = { threadId, threadCreatedAt, event: toEvent(row) };
  }
  return result;
};

export const listChats = async (
  scope: OrganizationScope,
  input: PageInput<ChatFilters>,
): Promise<Page<ChatSummary>> => {
  const state = readPage(scope, 'chats', input, DEFAULT_LIMIT);
  const query = filtered(ownChats(scope), state.filters);
  const [found, { total }] = await Promise.all([
    readRows(query, state),
    query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const { rows, ...neighbours } = cutPage(scope, 'chats', state, found, (row) => ({
    at: row.lastThreadCreatedAt.toISOString(),
    id: row.id,
  }));
  const [users, lastEvents] = await Promise.all([
    loadUsers(
      scope,
      rows.map(({ id }) => id),
    ),
    loadLastEvents(scope, rows),
  ]);
  return {
    items: rows.map((row) => ({
      ...toChat(row),
      users: users.get(row.id)!,
      lastEventPerType: lastEvents.get(row.id)!,
    })),
    total,
    ...neighbours,
  };
};
