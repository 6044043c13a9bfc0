import type { OrganizationScope } from '../../scope.ts';
import { findByDays } from './find-by-days.ts';
import { findByWords } from './find-by-words.ts';
import { findPending } from './find-pending.ts';
import type { ArchiveSearch, Found, FoundPage, Place } from './search.ts';

const findEnded = (scope: OrganizationScope, search: ArchiveSearch, place: Place): Promise<FoundPage> =>
  search.text === undefined && search.visitorId === undefined
    ? findByDays(scope, search, place)
    : findByWords(scope, search, place);

const newestFirst = (a: Found, b: Found): number => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);

/**
 * The ids of one page, newest first, and how many there are within reach. What goes on is read first, so that a chat that
 * ends in between is found all the same. All of it may stand before the page, which then begins that much earlier among what
 * has ended: from there on both are read and put together.
 */
export const findThreads = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { offset, limit, reach }: Place,
): Promise<{ ids: string[]; total: number }> => {
  const pending = search.includePending ? await findPending(scope, search) : [];
  await scope.services.projections.applyPending(scope.organizationId, 'archive_search');
  const start = Math.max(0, offset - pending.length);
  const ended = await findEnded(scope, search, { offset: start, limit: offset + limit - start, reach });
  const known = new Set(ended.found.map(({ id }) => id));
  const found = [...ended.found, ...pending.filter(({ id }) => !known.has(id))].sort(newestFirst);
  return {
    ids: found.slice(offset - start, offset - start + limit).map(({ id }) => id),
    total: Math.min(reach, ended.total + pending.length),
  };
};
