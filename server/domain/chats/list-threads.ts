import type { Selectable } from 'kysely';
import type { ThreadsTable } from '#server/storage/tables/chats.ts';
import { DomainError } from '../errors.ts';
import { cutPage, type PageState, readingOrder, readPage } from '../paging.ts';
import type { OrganizationScope } from '../scope.ts';
import { getChatRow } from './find-chat.ts';
import { loadEvents, visibleTo } from './load-threads.ts';
import { toThread } from './read-rows.ts';
import type { Page, ThreadWithEvents } from './records.ts';

export interface ListThreadsInput {
  chatId: string;
  pageId?: string | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  minEventsCount?: number | undefined;
}

interface ThreadFilters {
  chatId: string;
}

type ThreadRow = Selectable<ThreadsTable>;

const DEFAULT_LIMIT = 3;
const MOST_THREADS = 100;

const readRows = (scope: OrganizationScope, state: PageState<ThreadFilters>): Promise<ThreadRow[]> => {
  const order = readingOrder(state);
  const { cursor } = state;
  const query = scope.from('threads').where('chatId', '=', state.filters.chatId);
  const from = cursor
    ? query.where((eb) =>
        eb(
          eb.refTuple('threads.createdAt', 'threads.id'),
          order === 'asc' ? '>' : '<',
          eb.tuple(new Date(cursor.at), cursor.id),
        ),
      )
    : query;
  return from
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(state.limit + 1)
    .selectAll()
    .execute();
};

/** How many of the newest threads hold at least so many events that the actor may see. */
const threadsForEvents = async (scope: OrganizationScope, chatId: string, wanted: number): Promise<number> => {
  const rows = await scope
    .from('threads')
    .where('threads.chatId', '=', chatId)
    .orderBy('threads.createdAt', 'desc')
    .limit(MOST_THREADS)
    .select((eb) =>
      eb
        .selectFrom('events')
        .whereRef('events.organizationId', '=', 'threads.organizationId')
        .whereRef('events.threadId', '=', 'threads.id')
        .where('events.visibility', 'in', visibleTo(scope))
        .select((count) => count.fn.countAll<number>().as('events'))
        .as('events'),
    )
    .execute();
  let sum = 0;
  const needed = rows.findIndex(({ events }) => {
    sum += events ?? 0;
    return sum >= wanted;
  });
  return needed === -1 ? Math.max(rows.length, 1) : needed + 1;
};

/** Counting events always means the newest threads, in whichever order they are shown. */
const readState = async (
  scope: OrganizationScope,
  chatId: string,
  input: ListThreadsInput,
): Promise<PageState<ThreadFilters>> => {
  const { pageId, limit, order, minEventsCount } = input;
  const filters = { chatId };
  if (minEventsCount === undefined) return readPage(scope, 'threads', { pageId, limit, order, filters }, DEFAULT_LIMIT);
  if (pageId !== undefined) throw new DomainError('validation', '`page_id` and `min_events_count` cannot be combined');
  const needed = await threadsForEvents(scope, chatId, minEventsCount);
  return { filters, limit: needed, order: order ?? 'desc', ...(order === 'asc' ? { backwards: true } : {}) };
};

export const listThreads = async (
  scope: OrganizationScope,
  input: ListThreadsInput,
): Promise<Page<ThreadWithEvents>> => {
  if (input.limit !== undefined && input.minEventsCount !== undefined) {
    throw new DomainError('validation', '`limit` and `min_events_count` cannot be combined');
  }
  const chat = await getChatRow(scope, input.chatId);
  const state = await readState(scope, chat.id, input);
  if (state.filters.chatId !== chat.id) throw new DomainError('validation', '`page_id` belongs to another chat');
  const [found, { total }] = await Promise.all([
    readRows(scope, state),
    scope
      .from('threads')
      .where('chatId', '=', chat.id)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  const { rows, ...neighbours } = cutPage(scope, 'threads', state, found, (row) => ({
    at: row.createdAt.toISOString(),
    id: row.id,
  }));
  return { items: await loadEvents(scope, rows.map(toThread), chat.customerId), total, ...neighbours };
};
