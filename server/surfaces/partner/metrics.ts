import * as contract from '#contracts/partner/metrics.ts';
import { commission, referredCommission } from '#server/domain/partners/affiliates/measures.ts';
import { sumOf } from '#server/domain/partners/affiliates/sum-measures.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { affiliateMetrics, metricNames } from './affiliate-metrics.ts';
import { readDateRange } from './date-range.ts';
import { getAndPost } from './get-and-post.ts';
import { ignoreAll } from './ignore-all.ts';
import { toAmount } from './present-account.ts';

export const metricRoutes: Route<PartnerScope>[] = [
  ...metricNames.flatMap((name) => {
    const { measure, present } = affiliateMetrics[name];
    return getAndPost(contract.affiliateMetrics[name], async (query, scope) => ({
      value: present(await sumOf(scope, measure({ product: ignoreAll(query.product) }), readDateRange(query))),
    }));
  }),
  ...getAndPost(contract.getCommissionMetric, async (query, scope) => {
    const about = { program: ignoreAll(query.program), product: ignoreAll(query.product) };
    return { value: toAmount(await sumOf(scope, commission(about), readDateRange(query))) };
  }),
  ...getAndPost(contract.getReferredCommissionMetric, async (query, scope) => {
    const about = { program: ignoreAll(query.program), product: ignoreAll(query.product) };
    return { value: toAmount(await sumOf(scope, referredCommission(about), readDateRange(query))) };
  }),
];
