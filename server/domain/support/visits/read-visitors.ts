import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { VisitorState } from '../greetings/evaluate.ts';
import type { VisitRow } from './current-visit.ts';
import { customVariablesOf, MAX_CHARACTERS } from './read-visitor.ts';

const PAGES = `
select latest."visitId", latest.url, latest."openedAt" from (
  select p.visit_id as "visitId", p.number, p.url, p.opened_at as "openedAt",
    sum(length(p.url)) over (partition by p.visit_id order by p.number desc) as characters
  from visit_pages p where p.organization_id = $1 and p.visit_id = any($2::uuid[])
) latest
where latest.characters <= $3
order by latest."visitId", latest.number`;

interface PageRow {
  visitId: string;
  url: string;
  openedAt: Date;
}

/** The visitor states of several visitors, read in one statement. */
export const readVisitors = async (
  scope: OrganizationScope,
  visitors: { visit: VisitRow; sessionFields: SessionFields }[],
): Promise<VisitorState[]> => {
  const { rows } = await scope.executor.query<PageRow>({
    name: 'read_pages_of_visitors',
    text: PAGES,
    values: [scope.organizationId, visitors.map(({ visit }) => visit.id), MAX_CHARACTERS],
  });
  const pages = Map.groupBy(rows, ({ visitId }) => visitId);
  return visitors.map(({ visit, sessionFields }) => ({
    now: scope.now(),
    visitStartedAt: visit.startedAt,
    visitsNumber: visit.number,
    pages: pages.get(visit.id) ?? [],
    pagesNumber: visit.pageCount,
    ...(visit.referrer === null ? {} : { referrer: visit.referrer }),
    ...(visit.place ? { geolocation: visit.place } : {}),
    customVariables: customVariablesOf(sessionFields),
  }));
};
