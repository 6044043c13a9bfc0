import { invalid } from '../errors.ts';
import type { OrganizationScope } from '../scope.ts';
import { type ArchiveFilters, filterThreads } from './filter-threads.ts';
import { loadArchivedChats, selectThreads } from './load-archived-chats.ts';
import type { ArchivePage } from './records.ts';
import { resolveTimeZone } from './time-zone.ts';
import { visibleThreads } from './visible-threads.ts';

export interface ListArchivedChatsInput extends ArchiveFilters {
  timeZone?: string | undefined;
  /** Counts from 1. */
  page?: number | undefined;
}

const PAGE_SIZE = 25;
const LAST_PAGE = 1000;

const checkInput = ({ page = 1, dateFrom, dateTo }: ListArchivedChatsInput): void => {
  if (page > LAST_PAGE) throw invalid('page', `must not be above ${LAST_PAGE}: narrow the dates to reach older chats`);
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo)
    throw invalid('date_from', 'must not be after `date_to`');
};

/** One page of the archive, newest first. A day is a day in the asked time zone and counts by when a chat started. */
export const listArchivedChats = async (
  scope: OrganizationScope,
  input: ListArchivedChatsInput,
): Promise<ArchivePage> => {
  const threads = visibleThreads(scope);
  checkInput(input);
  const timeZone = await resolveTimeZone(scope, input.timeZone);
  const found = filterThreads(threads, input, timeZone);
  const [rows, { total }] = await Promise.all([
    selectThreads(found)
      .orderBy('threads.createdAt', 'desc')
      .orderBy('threads.id', 'desc')
      .limit(PAGE_SIZE)
      .offset(((input.page ?? 1) - 1) * PAGE_SIZE)
      .execute(),
    found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items: await loadArchivedChats(scope, rows), total, pages: Math.ceil(total / PAGE_SIZE), timeZone };
};
