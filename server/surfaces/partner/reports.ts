import { CommissionFilters } from '#contracts/partner/filters.ts';
import * as contract from '#contracts/partner/reports.ts';
import { commission, type Measure, referredCommission } from '#server/domain/partners/affiliates/measures.ts';
import { type Bucket, readReport } from '#server/domain/partners/affiliates/report.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { affiliateMetrics, metricNames } from './affiliate-metrics.ts';
import { readSpan } from './date-range.ts';
import { filterReader } from './filters.ts';
import { getAndPost } from './get-and-post.ts';
import { ignoreAll } from './ignore-all.ts';
import { toPartnerTimestamp } from './present.ts';
import { toAmount } from './present-account.ts';

interface ReportQuery {
  date_from: string;
  date_to: string;
  aggregation: 'day' | 'week' | 'month';
}

const LAST_SECOND_MS = 1000;

const presentRange = ({ from, until }: Bucket) => ({
  from: toPartnerTimestamp(from),
  to: toPartnerTimestamp(new Date(until.getTime() - LAST_SECOND_MS)),
});

const report = async (
  scope: PartnerScope,
  measure: Measure,
  requested: ReportQuery,
  present: (value: number) => number,
) => {
  const buckets = await readReport(scope, measure, { ...readSpan(requested), aggregation: requested.aggregation });
  return { items: buckets.map((bucket) => ({ date_range: presentRange(bucket), total: present(bucket.total) })) };
};

const readFilters = filterReader(CommissionFilters);

export const reportRoutes: Route<PartnerScope>[] = [
  ...metricNames.flatMap((name) => {
    const { measure, present } = affiliateMetrics[name];
    return getAndPost(contract.affiliateReports[name], (query, scope) =>
      report(scope, measure({ product: ignoreAll(query.product) }), query, present),
    );
  }),
  ...getAndPost(contract.getCommissionReport, (query, scope) => {
    const requested = readFilters(query.filters).map(({ field, value }) => ({ [field]: value }));
    return report(scope, commission(...requested), query, toAmount);
  }),
  ...getAndPost(contract.getReferredCommissionReport, (query, scope) => {
    const about = { program: ignoreAll(query.program), product: ignoreAll(query.product) };
    return report(scope, referredCommission(about), query, toAmount);
  }),
];
