import { type Static, Type } from 'typebox';
import { defineOperation } from '../../operation.ts';
import { Empty, Int32 } from '../../values.ts';
import { Campaign, CampaignName, CouponId, ListedCampaign } from '../campaigns.ts';
import { PartnerTimestamp } from '../values.ts';

export const createEarlierCampaign = defineOperation({
  name: 'create_earlier_campaign',
  method: 'POST',
  path: '/v2/partners/affiliates/campaigns',
  audit: false,
  summary: 'Creates a campaign for mainchat',
  when: { query: Type.Object({ product: Type.Optional(Type.Never()) }) },
  body: Type.Object({
    name: CampaignName,
    trial_duration: Int32({ minimum: 30, maximum: 60, description: 'Days' }),
    coupon_id: Type.Optional(CouponId),
    link: Type.Optional(
      Type.String({
        pattern: '^/?(?!\\.)[\\w.~-]+(/(?!\\.)[\\w.~-]+)*/?$',
        maxLength: 200,
        description: 'A page below the product’s address',
        examples: ['pricing/'],
      }),
    ),
  }),
  responses: { 201: Campaign },
  errors: [403, 409],
});

export const disableCampaignBySlug = defineOperation({
  name: 'disable_campaign_by_slug',
  method: 'DELETE',
  path: '/v2/partners/affiliates/campaigns/:campaign_id',
  audit: false,
  summary: 'Disables a campaign by its slug',
  when: { params: Type.Object({ campaign_id: Type.String({ pattern: '^pp_' }) }) },
  params: Type.Object({ campaign_id: Type.String({ pattern: '^pp_', maxLength: 200 }) }),
  responses: { 200: Empty },
  errors: [403],
});

export const listActiveCampaigns = defineOperation({
  name: 'list_active_campaigns',
  method: 'GET',
  path: '/v2/partners/affiliates/campaigns/active',
  summary: 'The active campaigns',
  responses: { 200: Type.Object({ result: Type.Array(ListedCampaign) }) },
});

export const DisabledCampaign = Type.Object({
  name: Type.String(),
  slug: Type.String(),
  trial_duration: Type.Integer(),
  discount: Type.String(),
  creation_timestamp: PartnerTimestamp,
  disabled_timestamp: PartnerTimestamp,
});
export type DisabledCampaign = Static<typeof DisabledCampaign>;

export const listDisabledCampaigns = defineOperation({
  name: 'list_disabled_campaigns',
  method: 'GET',
  path: '/v2/partners/affiliates/campaigns/disabled',
  summary: 'The disabled campaigns',
  responses: { 200: Type.Object({ result: Type.Array(DisabledCampaign) }) },
});
