import { type Static, Type } from 'typebox';
import { defineOperation } from '../../operation.ts';
import { OptionalTimestamp } from '../affiliates.ts';
import { dateRange, PartnerTimestamp } from '../values.ts';

const earlier = { shape: Type.Literal('earlier') };

export const EarlierLicense = Type.Object({
  client_email: Type.String({ description: 'Masked' }),
  creation_timestamp: PartnerTimestamp,
  end_timestamp: OptionalTimestamp,
  cc_added: Type.Boolean(),
  paid: Type.Boolean(),
  seats: Type.Integer(),
  plan: Type.String(),
  billing_cycle: Type.String(),
  chat_installed: Type.Boolean(),
  conversations: Type.Integer(),
  total_commission: Type.Number(),
  commission_percent: Type.Number(),
  utm_source: Type.String(),
  utm_medium: Type.String(),
  utm_content: Type.String(),
  utm_term: Type.String(),
  utm_campaign: Type.String(),
  blocked: Type.Boolean(),
});
export type EarlierLicense = Static<typeof EarlierLicense>;

export const listEarlierLicenses = defineOperation({
  name: 'list_earlier_licenses',
  method: 'GET',
  path: '/v2/partners/affiliates/licenses',
  summary: 'The licenses that the partner referred, and those of referred partners',
  when: { query: Type.Object(earlier) },
  query: Type.Object({ ...earlier, ...dateRange }),
  responses: { 200: Type.Object({ tier1: Type.Array(EarlierLicense), tier2: Type.Array(EarlierLicense) }) },
});

export const EarlierPerformanceRow = Type.Object({
  campaign: Type.String(),
  medium: Type.String(),
  content: Type.String(),
  term: Type.String(),
  clicks: Type.Integer(),
  trials: Type.Integer(),
  trial_percent: Type.Number({ description: 'Trials per 100 clicks' }),
  paid: Type.Integer(),
  paid_percent: Type.Number({ description: 'Conversions per 100 trials' }),
  commission: Type.Number(),
  chat_installations: Type.Integer({ description: 'Licenses whose widget was seen on a website' }),
  aha: Type.Integer({ description: 'Licenses with at least 10 chats' }),
});
export type EarlierPerformanceRow = Static<typeof EarlierPerformanceRow>;

export const getEarlierPerformance = defineOperation({
  name: 'get_earlier_performance',
  method: 'GET',
  path: '/v2/partners/affiliates/performance',
  summary: 'Performance of links by UTM values',
  when: { query: Type.Object(earlier) },
  query: Type.Object({ ...earlier, ...dateRange }),
  responses: { 200: Type.Object({ result: Type.Array(EarlierPerformanceRow) }) },
});

export const getAffiliateHistory = defineOperation({
  name: 'get_affiliate_history',
  method: 'GET',
  path: '/v2/partners/affiliates/history',
  summary: 'The last 12 months',
  responses: {
    200: Type.Object({
      result: Type.Array(
        Type.Object({
          date: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
          trials: Type.Integer(),
          paid: Type.Integer(),
          commission: Type.Number(),
        }),
      ),
    }),
  },
});
