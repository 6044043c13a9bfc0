import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { oneOf } from '../values.ts';
import { Filters } from './filters.ts';
import { toPostVariant } from './post-variant.ts';
import { PartnerTimestamp, ProductFilter, ProgramFilter, requiredDates } from './values.ts';

export const Report = Type.Object({
  items: Type.Array(
    Type.Object({
      date_range: Type.Object(
        { from: PartnerTimestamp, to: PartnerTimestamp },
        { description: 'A whole day, week from Monday, or month, UTC' },
      ),
      total: Type.Number(),
    }),
    { description: 'By date; periods without results have 0. Dates before the last 12 months are left out.' },
  ),
});
export type Report = Static<typeof Report>;

const buckets = { ...requiredDates, aggregation: oneOf('day', 'week', 'month') };

const reportOf = <const What extends string>(what: What, summary: string) =>
  defineOperation({
    name: `get_${what}_report`,
    method: 'GET',
    path: `/v2/partners/affiliates/reports/${what}`,
    summary,
    query: Type.Object({ ...buckets, product: Type.Optional(ProductFilter) }),
    responses: { 200: Report },
  });

export const affiliateReports = {
  clicks: reportOf('clicks', 'Clicks on the links, over time'),
  trials: reportOf('trials', 'Trials that began, over time'),
  conversions: reportOf('conversions', 'Licenses that paid for the first time, over time'),
  earnings: reportOf('earnings', 'What the partner earned as an affiliate, over time'),
};

export const getCommissionReport = defineOperation({
  name: 'get_commission_report',
  method: 'GET',
  path: '/v2/partners/reports/commission',
  summary: 'All commission, over time',
  query: Type.Object({ ...buckets, filters: Filters('Fields: program, product. Operator: equals.') }),
  responses: { 200: Report },
});

export const getReferredCommissionReport = defineOperation({
  name: 'get_referred_commission_report',
  method: 'GET',
  path: '/v2/partners/partners-referred/reports/commission',
  summary: 'Commission from referred partners, over time',
  query: Type.Object({ ...buckets, product: Type.Optional(ProductFilter), program: Type.Optional(ProgramFilter) }),
  responses: { 200: Report },
});

export const reportOperations = [
  ...Object.values(affiliateReports),
  getCommissionReport,
  getReferredCommissionReport,
].flatMap((operation) => [operation, toPostVariant(operation)]);
