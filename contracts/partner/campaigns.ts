import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, Nullable, oneOf } from '../values.ts';
import { Filters } from './filters.ts';
import { toPostVariant } from './post-variant.ts';
import { PartnerTimestamp, ProductFilter, WebAddress } from './values.ts';

export const CampaignName = Type.String({
  minLength: 5,
  maxLength: 100,
  description: 'Unique among the active campaigns of the partner',
});
export const CouponId = Int32({ minimum: 1, description: 'A coupon of the partner; for mainchat only' });

export const Campaign = Type.Object({
  id: Type.Integer(),
  product: Type.String(),
  name: Type.String(),
  slug: Type.String({ pattern: '^pp_' }),
  url: Type.String({ description: 'The landing page with tracking parameters' }),
  short_url: Type.String({ description: 'Counts the click and redirects to `url`' }),
  creation_timestamp: PartnerTimestamp,
  trial_duration: Type.Integer({ description: 'Days' }),
  discount: Type.String({ description: 'The label of its coupon, or empty' }),
});
export type Campaign = Static<typeof Campaign>;

export const ListedCampaign = Type.Object({ ...Campaign.properties, active: Type.Boolean() });

export const createCampaign = defineOperation({
  name: 'create_campaign',
  method: 'POST',
  path: '/v2/partners/affiliates/campaigns',
  audit: false,
  summary: 'Creates a campaign with its links',
  query: Type.Object({ product: oneOf('mainchat', 'chatbot', 'partner_program') }),
  body: Type.Object({
    name: CampaignName,
    link: Type.Optional(WebAddress),
    trial_duration: Type.Optional(Int32({ minimum: 14, maximum: 60, description: 'Days; for mainchat only' })),
    coupon_id: Type.Optional(CouponId),
  }),
  responses: { 201: Campaign },
  errors: [403, 409],
});

export const listCampaigns = defineOperation({
  name: 'list_campaigns',
  method: 'GET',
  path: '/v2/partners/affiliates/campaigns',
  summary: 'The active or the disabled campaigns',
  query: Type.Object({ state: Type.Optional(oneOf('active', 'disabled')) }),
  responses: { 200: Type.Object({ result: Type.Array(ListedCampaign) }) },
});

export const FoundCampaign = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  product: Type.String(),
  created_at: PartnerTimestamp,
  landing_page_url: Type.String(),
  slug: Type.String(),
  is_default: Type.Boolean(),
  region: Type.String(),
  offer: Nullable(
    Type.Object({ coupon_id: Type.Integer(), discount: Type.String({ description: 'The label of the coupon' }) }),
  ),
});
export type FoundCampaign = Static<typeof FoundCampaign>;

export const searchCampaigns = defineOperation({
  name: 'search_campaigns',
  method: 'GET',
  path: '/v2/partners/affiliates/campaigns/search',
  summary: 'Searches campaigns',
  query: Type.Object({
    state: oneOf('active', 'archived'),
    page: Type.Optional(Int32({ minimum: 1, maximum: 1_000_000 })),
    product: Type.Optional(ProductFilter),
    filters: Filters('Fields: name, product. Operators: equals, contains.'),
    sort_by: Type.Optional(oneOf('creation_timestamp')),
    sort_order: Type.Optional(oneOf('desc', 'asc')),
  }),
  responses: {
    200: Type.Object({
      value: Type.Number({ description: 'The commission of all found campaigns' }),
      results: Type.Array(FoundCampaign),
      total: Type.Integer({ description: 'Campaigns on all pages' }),
      limit: Type.Integer({ description: 'Campaigns per page' }),
    }),
  },
});

export const disableCampaign = defineOperation({
  name: 'disable_campaign',
  method: 'DELETE',
  path: '/v2/partners/affiliates/campaigns/:campaign_id',
  audit: false,
  summary: 'Disables a campaign: its links still redirect, but clicks are not counted',
  params: Type.Object({ campaign_id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) }),
  responses: { 204: null },
  errors: [403],
});

const Link = Type.Object({ url: Type.String(), short_url: Type.String() });

export const getLinks = defineOperation({
  name: 'get_links',
  method: 'GET',
  path: '/v2/partners/affiliates/links',
  summary: 'The links of the default campaigns',
  responses: { 200: Type.Object({ mainchat: Link, chatbot: Link, partner_program: Link }) },
});

export const campaignOperations = [
  createCampaign,
  listCampaigns,
  searchCampaigns,
  toPostVariant(searchCampaigns),
  disableCampaign,
  getLinks,
];
