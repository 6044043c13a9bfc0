import { DomainError } from '../../../errors.ts';
import { cutPage, isFirstPage, type PageState, readPage } from '../../../paging.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { Page, ThreadWithEvents } from '../records.ts';
import { assertReadable } from './find-chat.ts';
import { readUnlessKept } from './kept-reads.ts';
import { ACCESS, readNewestThreads, type ThreadsRow } from './newest-threads.ts';
import { openValues, pageOf, type Values } from './page-sql.ts';
import { READER, readerOf, readThread, THREAD } from './read-sql.ts';
import { withQueue } from './with-queue.ts';

export interface ListThreadsInput {
  chatId: string;
  pageId?: string | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  minEventsCount?: number | undefined;
  /** When a thread began; both included. */
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

/** How many of the newest threads hold at least so many events that the reader may see. */
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

/** Counting events always means the newest threads, in whichever order they are shown. */
const readState = async (scope: OrganizationScope, input: ListThreadsInput): Promise<PageState<ThreadFilters>> => {
  const { chatId, pageId, limit, order, minEventsCount, from, to } = input;
  const filtered = from !== undefined || to !== undefined;
  const filters = { chatId, ...(from ? { from: from.toISOString() } : {}), ...(to ? { to: to.toISOString() } : {}) };
  if (minEventsCount === undefined)
    return readPage(scope, 'threads', { pageId, limit, order, filters, filtered }, DEFAULT_LIMIT);
  if (filtered) throw new DomainError('validation', '`filters` and `min_events_count` cannot be combined');
  if (pageId !== undefined) throw new DomainError('validation', '`page_id` and `min_events_count` cannot be combined');
  const needed = await threadsForEvents(scope, chatId, minEventsCount);
  return { filters, limit: needed, order: order ?? 'desc', ...(order === 'asc' ? { backwards: true } : {}) };
};

const beganWithin = ({ from, to }: ThreadFilters, { add }: Values): string =>
  [
    ...(from === undefined ? [] : [`and t.created_at >= ${add(from)}::timestamptz`]),
    ...(to === undefined ? [] : [`and t.created_at <= ${add(to)}::timestamptz`]),
  ].join(' ');

const readRow = async (
  scope: OrganizationScope,
  chatId: string,
  state: PageState<ThreadFilters>,
): Promise<ThreadsRow | undefined> => {
  const given = openValues(...readerOf(scope), chatId);
  const within = beganWithin(state.filters, given);
  const { from, inOrder } = pageOf(state, { at: 't.created_at', id: 't.id' }, given);
  const text = `
select ${ACCESS},
  (select count(*)::int from threads t where t.organization_id = $1 and t.chat_id = c.id ${within}) as total,
  (select coalesce(json_agg(one), '[]') from (
    select ${THREAD} from threads t where t.organization_id = $1 and t.chat_id = c.id ${within} ${from} ${inOrder}
  ) one) as threads
from chats c cross join ${READER} where c.organization_id = $1 and c.id = $3`;
  return (await scope.executor.query<ThreadsRow>({ text, values: given.values })).rows[0];
};

type ThreadPage = Page<ThreadWithEvents>;

const toPage = async (
  scope: OrganizationScope,
  state: PageState<ThreadFilters>,
  row: ThreadsRow | undefined,
): Promise<{ record: ThreadPage; waits: boolean }> => {
  const chat = await assertReadable(scope, row);
  if (state.filters.chatId !== chat.id) throw new DomainError('validation', '`page_id` belongs to another chat');
  const { rows, ...neighbours } = cutPage(scope, 'threads', state, chat.threads, ({ createdAt, id }) => ({
    at: new Date(createdAt).toISOString(),
    id,
  }));
  const threads = rows.map((thread) => readThread(thread, chat.customerId));
  const items = await withQueue(scope, threads, chat.unassigned);
  const waits = chat.unassigned && threads.some(({ active }) => active);
  return { record: { items, total: chat.total, ...neighbours }, waits };
};

const listNewest = (scope: OrganizationScope, state: PageState<ThreadFilters>): Promise<ThreadPage> => {
  const { chatId } = state.filters;
  return readUnlessKept(scope, `list_threads ${chatId} ${state.limit}`, async (kept) => {
    const row = await readNewestThreads(scope, chatId, state.limit + 1, kept);
    if (row?.news === false) return undefined;
    const { record, waits } = await toPage(scope, state, row);
    return waits ? { record } : { record, mark: row!.mark };
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
