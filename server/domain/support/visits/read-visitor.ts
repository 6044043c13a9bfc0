import { sql } from 'kysely';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { VisitorState } from '../greetings/evaluate.ts';
import type { VisitRow } from './current-visit.ts';

/** Rules look at no more than this much of a visit. */
export const MAX_LETTERS = 65_536;

/** What the site tells about a customer: its session fields are its custom variables. */
export const customVariablesOf = (fields: SessionFields): Record<string, string> =>
  Object.assign(Object.create(null), ...fields);

/** The latest pages, as many as rules look at: a visit made to be long costs no more than another. */
const readPages = async (scope: OrganizationScope, visitId: string): Promise<VisitorState['pages']> => {
  const pages = await scope.db
    .selectFrom(
      scope
        .from('visitPages')
        .where('visitId', '=', visitId)
        .select(['number', 'url', 'openedAt'])
        .select(sql<number>`sum(length(url)) over (order by number desc)`.as('letters'))
        .as('latest'),
    )
    .where('letters', '<=', MAX_LETTERS)
    .orderBy('number')
    .select(['url', 'openedAt'])
    .execute();
  return pages;
};

/** What greetings know of a visitor. */
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
