import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf } from '../values.ts';
import { dateRange, PartnerTimestamp, requiredDates } from './values.ts';

/** Empty if it does not apply. */
export const OptionalTimestamp = Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2})?$' });

const utmFields = {
  campaign_name: Type.String(),
  utm_campaign: Type.String(),
  utm_medium: Type.String(),
  utm_content: Type.String(),
  utm_term: Type.String(),
};

export const AffiliateLicense = Type.Object({
  product: Type.String(),
  creation_timestamp: PartnerTimestamp,
  end_timestamp: OptionalTimestamp,
  active: Type.Boolean({ description: 'On trial or paid' }),
  ql: Type.Boolean({ description: 'A qualified lead: the widget was seen on a website, or a visitor chatted' }),
  cc_added: Type.Boolean(),
  paid: Type.Boolean({ description: 'It has been paid for' }),
  blocked: Type.Boolean(),
  commission_percent: Type.Number({ description: 'The commission percent of its next payment' }),
  earnings: Type.Number(),
  ...utmFields,
});
export type AffiliateLicense = Static<typeof AffiliateLicense>;

export const listLicenses = defineOperation({
  name: 'list_licenses',
  method: 'GET',
  path: '/v2/partners/affiliates/licenses',
  summary: 'The licenses that the partner referred, by creation date',
  query: Type.Object(dateRange),
  responses: { 200: Type.Object({ result: Type.Array(AffiliateLicense) }) },
});

export const LicenseOfStatus = Type.Object({
  campaign: Type.String(),
  status: Type.String(),
  product: Type.String(),
  commission: Type.Number({ description: 'Percent' }),
  earnings: Type.Number(),
  creation_timestamp: PartnerTimestamp,
  conversion_timestamp: OptionalTimestamp,
  expiration_timestamp: OptionalTimestamp,
});
export type LicenseOfStatus = Static<typeof LicenseOfStatus>;

const Cursor = Type.Optional(Type.String({ maxLength: 1000, description: 'The `next_cursor` of the previous page' }));

export const listLicensesByStatus = defineOperation({
  name: 'list_licenses_by_status',
  method: 'GET',
  path: '/v2/partners/affiliates/licenses/:status',
  summary: 'The licenses of one status, by creation date',
  params: Type.Object({ status: oneOf('trial', 'paid', 'expired') }),
  query: Type.Object({
    ...requiredDates,
    limit: Type.Optional(Int32({ minimum: 1, maximum: 15, description: '15 when absent' })),
    next_cursor: Cursor,
    cursor: Cursor,
  }),
  responses: {
    200: Type.Object({
      results: Type.Array(LicenseOfStatus),
      next_cursor: Type.String({ description: 'Empty on the last page' }),
    }),
  },
});

export const PerformanceRow = Type.Object({
  product: Type.String(),
  ...utmFields,
  clicks: Type.Integer(),
  trials: Type.Integer(),
  qls: Type.Integer(),
  paid: Type.Integer(),
  partners_referred: Type.Integer(),
  commission: Type.Number(),
});
export type PerformanceRow = Static<typeof PerformanceRow>;

export const getPerformance = defineOperation({
  name: 'get_performance',
  method: 'GET',
  path: '/v2/partners/affiliates/performance',
  summary: 'Performance of links by campaign and UTM values',
  description: 'Clicks count by their own time, licenses and partners by their creation time.',
  query: Type.Object(dateRange),
  responses: { 200: Type.Object({ result: Type.Array(PerformanceRow) }) },
});

export const ReferredPartner = Type.Object({
  partner_id: Type.String(),
  creation_timestamp: PartnerTimestamp,
  ...utmFields,
  active_trials: Type.Integer(),
  active_trials_cc_added: Type.Integer(),
  total_trials: Type.Integer(),
  active_paid: Type.Integer(),
  total_paid: Type.Integer(),
  commission: Type.Number({ description: 'The commission earned through this partner' }),
});
export type ReferredPartner = Static<typeof ReferredPartner>;

export const listReferredPartners = defineOperation({
  name: 'list_referred_partners',
  method: 'GET',
  path: '/v2/partners/affiliates/partners-referred',
  summary: 'The partners that this partner referred',
  responses: { 200: Type.Object({ result: Type.Array(ReferredPartner) }) },
});

export const getSummary = defineOperation({
  name: 'get_summary',
  method: 'GET',
  path: '/v2/partners/affiliates/summary',
  summary: 'The current number of licenses by status',
  responses: { 200: Type.Object({ trials: Type.Integer(), paid: Type.Integer(), expired: Type.Integer() }) },
});

export const affiliateOperations = [
  listLicenses,
  listLicensesByStatus,
  getPerformance,
  listReferredPartners,
  getSummary,
];
