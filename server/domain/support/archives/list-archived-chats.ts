import { requireAgent } from '../../access.ts';
import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { nextDay, startOfDay } from '../../time-zones.ts';
import { findThreads } from './find-threads.ts';
import { loadArchivedChats } from './load-archived-chats.ts';
import type { ArchivePage } from './records.ts';
import type { ArchiveSearch } from './search.ts';
import { resolveTimeZone } from './time-zone.ts';

export interface ListArchivedChatsInput extends Omit<ArchiveSearch, 'from' | 'before'> {
  /** Days as `YYYY-MM-DD`, both included. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timeZone?: string | undefined;
  /** Counts from 1. */
  page?: number | undefined;
}

const PAGE_SIZE = 25;
const LAST_PAGE = 1000;

const checkInput = ({ page = 1, dateFrom, dateTo }: ListArchivedChatsInput): void => {
  if (page > LAST_PAGE) throw invalid('page', `must be at most ${LAST_PAGE}: narrow the dates to reach older chats`);
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo)
    throw invalid('dateFrom', 'must not be after `dateTo`');
};

/**
 * One page of the archive, newest first. Days are in the requested time zone; a chat belongs to the day on which it
 * started.
 */
export const listArchivedChats = async (
  scope: OrganizationScope,
  input: ListArchivedChatsInput,
): Promise<ArchivePage> => {
  requireAgent(scope.actor);
  checkInput(input);
  const { dateFrom, dateTo, timeZone: requestedTimeZone, page = 1, ...search } = input;
  const timeZone = await resolveTimeZone(scope, requestedTimeZone);
  const { ids, total } = await findThreads(
    scope,
    {
      ...search,
      from: dateFrom === undefined ? undefined : startOfDay(timeZone, dateFrom),
      before: dateTo === undefined ? undefined : startOfDay(timeZone, nextDay(dateTo)),
    },
    { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, maxTotal: LAST_PAGE * PAGE_SIZE },
  );
  const items = await loadArchivedChats(scope, ids);
  return { items, total, pages: Math.ceil(total / PAGE_SIZE), timeZone };
};
