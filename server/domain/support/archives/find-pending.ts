import type { OrganizationScope } from '../../scope.ts';
import { factsOf, wantedFacts } from './facts.ts';
import { readPending, searchedText } from './read-facts.ts';
import { type ArchiveSearch, type Found, seenGroups } from './search.ts';
import { matchesQuery, readQuery } from './words.ts';

/** Threads that go on: they have no entries yet and are few, so each is looked at. */
export const findPending = async (scope: OrganizationScope, search: ArchiveSearch): Promise<Found[]> => {
  const { organizationId } = scope;
  const query = search.text === undefined ? undefined : readQuery(search.text);
  const wanted = wantedFacts(organizationId, search);
  const groups = seenGroups(scope);
  const found = (await readPending(scope, query !== undefined)).filter((thread) => {
    const facts = new Set(factsOf(organizationId, thread).facts);
    return (
      (!search.from || thread.createdAt >= search.from) &&
      (!search.before || thread.createdAt < search.before) &&
      wanted.every((fact) => facts.has(fact)) &&
      (!groups || groups.some((fact) => facts.has(fact))) &&
      (!query || matchesQuery(query, searchedText(thread)))
    );
  });
  return found.map(({ id, createdAt }) => ({ id, at: createdAt }));
};
