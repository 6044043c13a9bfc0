import { bestMetrics, bestReports } from '#contracts/partner/best-performing.ts';
import { bestCampaigns } from '#server/domain/partners/affiliates/numbers.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { affiliateNumbers, numberNames } from './affiliate-numbers.ts';
import { bothWays } from './both-ways.ts';
import { readDateRange } from './date-range.ts';

const USUAL_LIMIT = 5;

interface Asked {
  limit?: number;
  date_from?: string;
  date_to?: string;
}

export const bestPerformingRoutes: Route<PartnerScope>[] = numberNames.flatMap((name) => {
  const { measure, present } = affiliateNumbers[name];
  const read = (scope: PartnerScope, { limit = USUAL_LIMIT, ...dates }: Asked) =>
    bestCampaigns(scope, measure({}), { limit, ...readDateRange(dates) });
  return [
    ...bothWays(bestReports[name], async (query, scope) => ({
      items: (await read(scope, query)).map((campaign) => ({ ...campaign, value: present(campaign.value) })),
    })),
    ...bothWays(bestMetrics[name], async (query, scope) => {
      const best = await read(scope, query);
      return { value: present(best.reduce((sum, { value }) => sum + value, 0)) };
    }),
  ];
});
