import type { OrganizationScope } from '../../scope.ts';
import { findByDays } from './find-by-days.ts';
import { findByWords } from './find-by-words.ts';
import { findPending } from './find-pending.ts';
import type { ArchiveSearch, FoundPage, PageWindow, ThreadKey } from './search.ts';

const findEnded = (scope: OrganizationScope, search: ArchiveSearch, page: PageWindow): Promise<FoundPage> =>
  search.text === undefined && search.visitorId === undefined
    ? findByDays(scope, search, page)
    : findByWords(scope, search, page);

const newestFirst = (a: ThreadKey, b: ThreadKey): number => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);

/**
 * The thread ids of one page, newest first, and the total up to `maxTotal`. Active threads are read first, so that a chat that
 * ends in between is still found. All of them may be on earlier pages; ended threads are therefore read from that much
 * earlier, merged with the active ones, and cut to the page.
 */
export const findThreads = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { offset, limit, maxTotal }: PageWindow,
): Promise<{ ids: string[]; total: number }> => {
  const pending = search.includePending ? await findPending(scope, search) : [];
  await scope.services.projections.applyPending(scope.organizationId, 'archive_search');
  const start = Math.max(0, offset - pending.length);
  const ended = await findEnded(scope, search, { offset: start, limit: offset + limit - start, maxTotal });
  const endedIds = new Set(ended.found.map(({ id }) => id));
  const found = [...ended.found, ...pending.filter(({ id }) => !endedIds.has(id))].sort(newestFirst);
  return {
    ids: found.slice(offset - start, offset - start + limit).map(({ id }) => id),
    total: Math.min(maxTotal, ended.total + pending.length),
  };
};
