import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { toPostVariant } from './post-variant.ts';
import { dateRange, ProductFilter, ProgramFilter } from './values.ts';

export const Metric = Type.Object({ value: Type.Number() });
export type Metric = Static<typeof Metric>;

const metricOf = <const What extends string>(what: What, summary: string) =>
  defineOperation({
    name: `get_${what}_metric`,
    method: 'GET',
    path: `/v2/partners/affiliates/metrics/${what}`,
    summary,
    description: 'Covers all time if no dates are given.',
    query: Type.Object({ ...dateRange, product: Type.Optional(ProductFilter) }),
    responses: { 200: Metric },
  });

export const affiliateMetrics = {
  clicks: metricOf('clicks', 'How many clicks the links had'),
  trials: metricOf('trials', 'How many trials began'),
  conversions: metricOf('conversions', 'How many licenses paid for the first time'),
  earnings: metricOf('earnings', 'What the partner earned as an affiliate'),
};

const commissionQuery = Type.Object({
  ...dateRange,
  product: Type.Optional(ProductFilter),
  program: Type.Optional(ProgramFilter),
});

export const getCommissionMetric = defineOperation({
  name: 'get_commission_metric',
  method: 'GET',
  path: '/v2/partners/metrics/commission',
  summary: 'All commission',
  query: commissionQuery,
  responses: { 200: Metric },
});

export const getReferredCommissionMetric = defineOperation({
  name: 'get_referred_commission_metric',
  method: 'GET',
  path: '/v2/partners/partners-referred/metrics/commission',
  summary: 'Commission from referred partners',
  query: commissionQuery,
  responses: { 200: Metric },
});

export const metricOperations = [
  ...Object.values(affiliateMetrics),
  getCommissionMetric,
  getReferredCommissionMetric,
].flatMap((operation) => [operation, toPostVariant(operation)]);
