import * as contract from '#contracts/partner/affiliates.ts';
import {
  countLicensesByStage,
  listLicenses,
  listLicensesByStage,
} from '#server/domain/partners/affiliates/licenses.ts';
import { readPerformance } from '#server/domain/partners/affiliates/performance.ts';
import { listReferredPartners } from '#server/domain/partners/affiliates/referred-partners.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { readDateRange, readSpan } from './date-range.ts';
import {
  presentLicense,
  presentLicenseOfStatus,
  presentPerformance,
  presentReferredPartner,
} from './present-affiliates.ts';

const partnerRoute = route<PartnerScope>();
const MAX_PER_PAGE = 15;

export const affiliateRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.listLicenses, async ({ query, scope }) => ({
    result: (await listLicenses(scope, readDateRange(query))).map(presentLicense),
  })),
  partnerRoute(contract.listLicensesByStatus, async ({ params, query, scope }) => {
    const { licenses, nextCursor } = await listLicensesByStage(scope, {
      stage: params.status,
      ...readSpan(query),
      limit: query.limit ?? MAX_PER_PAGE,
      cursor: query.next_cursor || query.cursor || undefined,
    });
    const results = licenses.map((license) => presentLicenseOfStatus(params.status, license));
    return { results, next_cursor: nextCursor };
  }),
  partnerRoute(contract.getPerformance, async ({ query, scope }) => ({
    result: (await readPerformance(scope, readDateRange(query))).map(presentPerformance),
  })),
  partnerRoute(contract.listReferredPartners, async ({ scope }) => ({
    result: (await listReferredPartners(scope)).map(presentReferredPartner),
  })),
  partnerRoute(contract.getSummary, async ({ scope }) => {
    const { trial, paid, expired } = await countLicensesByStage(scope);
    return { trials: trial, paid, expired };
  }),
];
