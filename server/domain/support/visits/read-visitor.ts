import { sql } from 'kysely';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { VisitorState } from '../greetings/evaluate.ts';
import type { VisitRow } from './current-visit.ts';

/** Greeting rules evaluate at most this many characters of URLs per visit. */
export const MAX_CHARACTERS = 65_536;

/** Custom variables are the session fields of the customer. */
export const customVariablesOf = (fields: SessionFields): Record<string, string> =>
  Object.assign(Object.create(null), ...fields);

/** The latest pages up to the character limit, so that a very long visit costs no more than another. */
const readPages = async (scope: OrganizationScope, visitId: string): Promise<VisitorState['pages']> => {
  const pages = await scope.db
    .selectFrom(
      scope
        .from('visitPages')
        .where('visitId', '=', visitId)
        .select(['number', 'url', 'openedAt'])
        .select(sql<number>`sum(length(url)) over (order by number desc)`.as('characters'))
        .as('latest'),
    )
    .where('characters', '<=', MAX_CHARACTERS)
    .orderBy('number')
    .select(['url', 'openedAt'])
    .execute();
  return pages;
};

/** The visitor state that greeting rules evaluate. */
export const readVisitor = async (scope: OrganizationScope, visit: VisitRow): Promise<VisitorState> => {
  const [pages, { sessionFields }] = await Promise.all([
    readPages(scope, visit.id),
    scope.from('customers').where('id', '=', visit.customerId).select('sessionFields').executeTakeFirstOrThrow(),
  ]);
  return {
    now: scope.now(),
    visitStartedAt: visit.startedAt,
    visitsNumber: visit.number,
    pages,
    pagesNumber: visit.pageCount,
    ...(visit.referrer === null ? {} : { referrer: visit.referrer }),
    ...(visit.place ? { geolocation: visit.place } : {}),
    customVariables: customVariablesOf(sessionFields),
  };
};
