import { expect } from 'vitest';
import type { Clerk, Json } from './index.ts';

/** A filter as it is asked, and what it means, told by what the answers show. */
export type Filter = [query: string, holds: (one: Json) => boolean];

/** Each filter alone and with every other one finds what an obvious reading of all items finds. */
export const expectPairs = async (clerk: Clerk, name: 'chats' | 'tickets', all: Json[], filters: Filter[]) => {
  const nameOf = (query: string): string => query.split('=')[0]!;
  const asked = filters.flatMap((first, at) =>
    filters
      .slice(at)
      .filter((second) => second === first || nameOf(second[0]) !== nameOf(first[0]))
      .map((second) => [first, second] as const),
  );
  const outcomes = await Promise.all(
    asked.map(async ([[first, holds], [second, alsoHolds]]) => {
      const query = first === second ? first : `${first}&${second}`;
      const found = (await clerk.ok('GET', `/${name}?${query}`))[name];
      const expected = all.filter((one) => holds(one) && alsoHolds(one));
      const idsOf = (items: Json[]): string[] => items.map(({ id }) => id).toSorted();
      return { query, found: idsOf(found), expected: idsOf(expected) };
    }),
  );
  const wrong = outcomes.filter(({ found, expected }) => JSON.stringify(found) !== JSON.stringify(expected));
  expect(wrong).toEqual([]);
};
