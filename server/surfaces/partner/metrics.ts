import * as contract from '#contracts/partner/metrics.ts';
import { commission, referredCommission } from '#server/domain/partners/affiliates/measures.ts';
import { sumOf } from '#server/domain/partners/affiliates/numbers.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { affiliateNumbers, numberNames } from './affiliate-numbers.ts';
import { bothWays } from './both-ways.ts';
import { readDateRange } from './date-range.ts';
import { toAmount } from './present-account.ts';
import { unlessAll } from './unless-all.ts';

export const metricRoutes: Route<PartnerScope>[] = [
  ...numberNames.flatMap((name) => {
    const { measure, present } = affiliateNumbers[name];
    return bothWays(contract.affiliateMetrics[name], async (query, scope) => ({
      value: present(await sumOf(scope, measure({ product: unlessAll(query.product) }), readDateRange(query))),
    }));
  }),
  ...bothWays(contract.getCommissionMetric, async (query, scope) => {
    const about = { program: unlessAll(query.program), product: unlessAll(query.product) };
    return { value: toAmount(await sumOf(scope, commission(about), readDateRange(query))) };
  }),
  ...bothWays(contract.getReferredCommissionMetric, async (query, scope) => {
    const about = { program: unlessAll(query.program), product: unlessAll(query.product) };
    return { value: toAmount(await sumOf(scope, referredCommission(about), readDateRange(query))) };
  }),
];
