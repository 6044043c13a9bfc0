import { bestMetrics, bestReports } from '#contracts/partner/best-performing.ts';
import { bestCampaigns } from '#server/domain/partners/affiliates/sum-measures.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { affiliateMetrics, metricNames } from './affiliate-metrics.ts';
import { readDateRange } from './date-range.ts';
import { getAndPost } from './get-and-post.ts';

const DEFAULT_LIMIT = 5;

interface TopQuery {
  limit?: number;
  date_from?: string;
  date_to?: string;
}

export const bestPerformingRoutes: Route<PartnerScope>[] = metricNames.flatMap((name) => {
  const { measure, present } = affiliateMetrics[name];
  const read = (scope: PartnerScope, { limit = DEFAULT_LIMIT, ...dates }: TopQuery) =>
    bestCampaigns(scope, measure({}), { limit, ...readDateRange(dates) });
  return [
    ...getAndPost(bestReports[name], async (query, scope) => ({
      items: (await read(scope, query)).map((campaign) => ({ ...campaign, value: present(campaign.value) })),
    })),
    ...getAndPost(bestMetrics[name], async (query, scope) => {
      const best = await read(scope, query);
      return { value: present(best.reduce((sum, { value }) => sum + value, 0)) };
    }),
  ];
});
