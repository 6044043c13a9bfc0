import type { OrganizationScope } from '../scope.ts';
import { factsOf, wantedFacts } from './facts.ts';
import { readPending, searchedText } from './read-facts.ts';
import { type ArchiveSearch, seenGroups } from './search.ts';
import { matchesQuery, readQuery } from './words.ts';

/** Threads that go on, with the times when they began. */
export interface Pending {
  ids: string[];
  times: Date[];
}

/** They have no entries yet and are few, so each is looked at. */
export const findPending = async (scope: OrganizationScope, search: ArchiveSearch): Promise<Pending> => {
  const { organizationId } = scope;
  const query = search.text === undefined ? undefined : readQuery(search.text);
  const wanted = wantedFacts(organizationId, search);
  const groups = seenGroups(scope);
  const found = (await readPending(scope, query !== undefined)).filter((thread) => {
    const facts = new Set(factsOf(organizationId, thread));
    return (
      (!search.from || thread.createdAt >= search.from) &&
      (!search.before || thread.createdAt < search.before) &&
      wanted.every((fact) => facts.has(fact)) &&
      (!groups || groups.some((fact) => facts.has(fact))) &&
      (!query || matchesQuery(query, searchedText(thread)))
    );
  });
  return { ids: found.map(({ id }) => id), times: found.map(({ createdAt }) => createdAt) };
};
