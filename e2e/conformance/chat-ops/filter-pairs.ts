import { expect } from 'vitest';
import type { Json, RestAgent } from './index.ts';

/** A query filter and a predicate that selects the same items from an unfiltered response. */
export type Filter = [query: string, holds: (one: Json) => boolean];

/** Checks that each filter, alone and combined with every other one, selects the items its predicates select. */
export const expectFilterPairs = async (
  agent: RestAgent,
  name: 'chats' | 'tickets',
  all: Json[],
  filters: Filter[],
) => {
  const nameOf = (query: string): string => query.split('=')[0]!;
  const pairs = filters.flatMap((first, at) =>
    filters
      .slice(at)
      .filter((second) => second === first || nameOf(second[0]) !== nameOf(first[0]))
      .map((second) => [first, second] as const),
  );
  const outcomes = await Promise.all(
    pairs.map(async ([[first, holds], [second, alsoHolds]]) => {
      const query = first === second ? first : `${first}&${second}`;
      const found = (await agent.ok('GET', `/${name}?${query}`))[name];
      const expected = all.filter((one) => holds(one) && alsoHolds(one));
      const idsOf = (items: Json[]): string[] => items.map(({ id }) => id).toSorted();
      return { query, found: idsOf(found), expected: idsOf(expected) };
    }),
  );
  const wrong = outcomes.filter(({ found, expected }) => JSON.stringify(found) !== JSON.stringify(expected));
  expect(wrong).toEqual([]);
};
