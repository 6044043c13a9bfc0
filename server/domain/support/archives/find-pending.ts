import type { OrganizationScope } from '../../scope.ts';
import { getFilterFacts, getThreadFacts } from './facts.ts';
import { getSearchableText, readActiveThreads } from './read-facts.ts';
import { type ArchiveSearch, getVisibleGroupFacts, type ThreadKey } from './search.ts';
import { matchesQuery, readQuery } from './words.ts';

/** Filters the active threads in memory: they have no index entries yet, and there are few. */
export const findPending = async (scope: OrganizationScope, search: ArchiveSearch): Promise<ThreadKey[]> => {
  const { organizationId } = scope;
  const query = search.text === undefined ? undefined : readQuery(search.text);
  const filterFacts = getFilterFacts(organizationId, search);
  const groups = getVisibleGroupFacts(scope);
  const found = (await readActiveThreads(scope, query !== undefined)).filter((thread) => {
    const facts = new Set(getThreadFacts(organizationId, thread).facts);
    return (
      (!search.from || thread.createdAt >= search.from) &&
      (!search.before || thread.createdAt < search.before) &&
      filterFacts.every((fact) => facts.has(fact)) &&
      (!groups || groups.some((fact) => facts.has(fact))) &&
      (!query || matchesQuery(query, getSearchableText(thread)))
    );
  });
  return found.map(({ id, createdAt }) => ({ id, at: createdAt }));
};
