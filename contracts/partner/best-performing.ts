import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32 } from '../values.ts';
import { Metric } from './metrics.ts';
import { toPostVariant } from './post-variant.ts';
import { dateRange } from './values.ts';

export const BestCampaigns = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.Integer(), name: Type.String(), value: Type.Number(), product: Type.String() }),
    { description: 'Best first; campaigns without results are left out' },
  ),
});
export type BestCampaigns = Static<typeof BestCampaigns>;

const query = Type.Object({
  limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Campaigns; 5 when absent' })),
  ...dateRange,
});

const at = '/v2/partners/affiliates/campaigns/best-performing';

const reportOf = <const What extends string>(what: What, by: string) =>
  defineOperation({
    name: `get_best_campaigns_by_${what}`,
    method: 'GET',
    path: `${at}/reports/${what}`,
    summary: `The campaigns with the most ${by}`,
    query,
    responses: { 200: BestCampaigns },
  });

const metricOf = <const What extends string>(what: What, by: string) =>
  defineOperation({
    name: `get_best_campaigns_${what}_metric`,
    method: 'GET',
    path: `${at}/metrics/${what}`,
    summary: `What the campaigns with the most ${by} have together`,
    query,
    responses: { 200: Metric },
  });

export const bestReports = {
  clicks: reportOf('clicks', 'clicks'),
  trials: reportOf('trials', 'trials'),
  conversions: reportOf('conversions', 'conversions'),
  earnings: reportOf('earnings', 'earnings'),
};

export const bestMetrics = {
  clicks: metricOf('clicks', 'clicks'),
  trials: metricOf('trials', 'trials'),
  conversions: metricOf('conversions', 'conversions'),
  earnings: metricOf('earnings', 'earnings'),
};

export const bestPerformingOperations = [...Object.values(bestReports), ...Object.values(bestMetrics)].flatMap(
  (operation) => [operation, toPostVariant(operation)],
);
