import { DomainError } from '../../../errors.ts';
import { openValues, pageOf, type Values } from '../../../page-sql.ts';
import { isFirstPage, type PageState, resolvePage, slicePage } from '../../../paging.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { Page, ThreadWithEvents } from '../records.ts';
import { addQueuePositions } from './add-queue-positions.ts';
import { assertReadable } from './find-chat.ts';
import { ACCESS, readNewestThreads, type ThreadsRow } from './read-newest-threads.ts';
import { READER, readerOf, readThread, THREAD } from './read-sql.ts';
import { readThroughCache } from './response-cache.ts';

export interface ListThreadsInput {
  chatId: string;
  pageId?: string | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  minEventsCount?: number | undefined;
  /** Range of the thread's start time, inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
}

interface ThreadFilters {
  chatId: string;
  from?: string;
  to?: string;
}

const DEFAULT_LIMIT = 3;
const MAX_THREADS = 100;

/** The number of newest threads that together contain at least this many events visible to the reader. */
const threadsForEvents = async (scope: OrganizationScope, chatId: string, wanted: number): Promise<number> => {
  const { rows } = await scope.executor.query<{ events: number }>({
    name: 'count_events_of_threads',
    text: `
select (
  select count(*)::int from events e
  where e.organization_id = $1 and e.thread_id = t.id and (e.visibility = 'all' or $2)
) as events
from threads t where t.organization_id = $1 and t.chat_id = $3
order by t.created_at desc limit ${MAX_THREADS}`,
    values: [...readerOf(scope), chatId],
  });
  let sum = 0;
  const needed = rows.findIndex(({ events }) => {
    sum += events;
    return sum >= wanted;
  });
  return needed === -1 ? Math.max(rows.length, 1) : needed + 1;
};

/** `minEventsCount` always applies to the newest threads, regardless of their order in the response. */
const readState = async (scope: OrganizationScope, input: ListThreadsInput): Promise<PageState<ThreadFilters>> => {
  const { chatId, pageId, limit, order, minEventsCount, from, to } = input;
  const filtered = from !== undefined || to !== undefined;
  const filters = { chatId, ...(from ? { from: from.toISOString() } : {}), ...(to ? { to: to.toISOString() } : {}) };
  if (minEventsCount === undefined)
    return resolvePage(scope, 'threads', { pageId, limit, order, filters, filtered }, DEFAULT_LIMIT);
  if (filtered) throw new DomainError('validation', '`filters` and `min_events_count` cannot be combined');
  if (pageId !== undefined) throw new DomainError('validation', '`page_id` and `min_events_count` cannot be combined');
  const needed = await threadsForEvents(scope, chatId, minEventsCount);
  return { filters, limit: needed, order: order ?? 'desc', ...(order === 'asc' ? { backwards: true } : {}) };
};

const startedWithin = ({ from, to }: ThreadFilters, { add }: Values): string =>
  [
    ...(from === undefined ? [] : [`and t.created_at >= ${add(from)}::timestamptz`]),
    ...(to === undefined ? [] : [`and t.created_at <= ${add(to)}::timestamptz`]),
  ].join(' ');

const readRow = async (
  scope: OrganizationScope,
  chatId: string,
  state: PageState<ThreadFilters>,
): Promise<ThreadsRow | undefined> => {
  const values = openValues(...readerOf(scope), chatId);
  const within = startedWithin(state.filters, values);
  const { from, inOrder } = pageOf(state, { at: 't.created_at', id: 't.id' }, values);
  const text = `
select ${ACCESS},
  (select count(*)::int from threads t where t.organization_id = $1 and t.chat_id = c.id ${within}) as total,
  (select coalesce(json_agg(one), '[]') from (
    select ${THREAD} from threads t where t.organization_id = $1 and t.chat_id = c.id ${within} ${from} ${inOrder}
  ) one) as threads
from chats c cross join ${READER} where c.organization_id = $1 and c.id = $3`;
  return (await scope.executor.query<ThreadsRow>({ text, values: values.values })).rows[0];
};

type ThreadPage = Page<ThreadWithEvents>;

const toPage = async (
  scope: OrganizationScope,
  state: PageState<ThreadFilters>,
  row: ThreadsRow | undefined,
): Promise<{ record: ThreadPage; isQueued: boolean }> => {
  const chat = await assertReadable(scope, row);
  if (state.filters.chatId !== chat.id) throw new DomainError('validation', '`page_id` belongs to another chat');
  const { rows, ...neighbors } = slicePage(scope, 'threads', state, chat.threads, ({ createdAt, id }) => ({
    at: new Date(createdAt).toISOString(),
    id,
  }));
  const threads = rows.map((thread) => readThread(thread, chat.customerId));
  const items = await addQueuePositions(scope, threads, chat.unassigned);
  const isQueued = chat.unassigned && threads.some(({ active }) => active);
  return { record: { items, total: chat.total, ...neighbors }, isQueued };
};

const listNewest = (scope: OrganizationScope, state: PageState<ThreadFilters>): Promise<ThreadPage> => {
  const { chatId } = state.filters;
  return readThroughCache(scope, `list_threads ${chatId} ${state.limit}`, async (cached) => {
    const row = await readNewestThreads(scope, chatId, state.limit + 1, cached);
    if (row?.changed === false) return undefined;
    const { record, isQueued } = await toPage(scope, state, row);
    return isQueued ? { record } : { record, version: row!.version };
  });
};

export const listThreads = async (scope: OrganizationScope, input: ListThreadsInput): Promise<ThreadPage> => {
  if (input.limit !== undefined && input.minEventsCount !== undefined) {
    throw new DomainError('validation', '`limit` and `min_events_count` cannot be combined');
  }
  const state = await readState(scope, input);
  if (isFirstPage(state) && !state.filters.from && !state.filters.to) return listNewest(scope, state);
  return (await toPage(scope, state, await readRow(scope, input.chatId, state))).record;
};
