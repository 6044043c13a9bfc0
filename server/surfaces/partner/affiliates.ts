import * as contract from '#contracts/partner/affiliates.ts';
import {
  countLicencesByStage,
  listLicences,
  listLicencesByStage,
} from '#server/domain/partners/affiliates/licences.ts';
import { readPerformance } from '#server/domain/partners/affiliates/performance.ts';
import { listReferredPartners } from '#server/domain/partners/affiliates/referred-partners.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { readDateRange, readSpan } from './date-range.ts';
import {
  presentLicence,
  presentLicenceOfStatus,
  presentPerformance,
  presentReferredPartner,
} from './present-affiliates.ts';

const partnerRoute = route<PartnerScope>();
const MOST_PER_PAGE = 15;

export const affiliateRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.listLicences, async ({ query, scope }) => ({
    result: (await listLicences(scope, readDateRange(query))).map(presentLicence),
  })),
  partnerRoute(contract.listLicencesByStatus, async ({ params, query, scope }) => {
    const { licences, nextCursor } = await listLicencesByStage(scope, {
      stage: params.status,
      ...readSpan(query),
      limit: query.limit ?? MOST_PER_PAGE,
      cursor: query.next_cursor || query.cursor || undefined,
    });
    const results = licences.map((licence) => presentLicenceOfStatus(params.status, licence));
    return { results, next_cursor: nextCursor };
  }),
  partnerRoute(contract.getPerformance, async ({ query, scope }) => ({
    result: (await readPerformance(scope, readDateRange(query))).map(presentPerformance),
  })),
  partnerRoute(contract.listReferredPartners, async ({ scope }) => ({
    result: (await listReferredPartners(scope)).map(presentReferredPartner),
  })),
  partnerRoute(contract.getSummary, async ({ scope }) => {
    const { trial, paid, expired } = await countLicencesByStage(scope);
    return { trials: trial, paid, expired };
  }),
];
