import * as contract from '#contracts/partner/campaigns.ts';
import { CampaignFilters } from '#contracts/partner/filters.ts';
import { createCampaign } from '#server/domain/partners/campaigns/create-campaign.ts';
import { disableCampaign } from '#server/domain/partners/campaigns/disable-campaign.ts';
import { getDefaultCampaigns, listCampaigns } from '#server/domain/partners/campaigns/list-campaigns.ts';
import { CAMPAIGNS_PER_PAGE, searchCampaigns } from '#server/domain/partners/campaigns/search-campaigns.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { filterReader } from './filters.ts';
import { getAndPost } from './get-and-post.ts';
import { ignoreAll } from './ignore-all.ts';
import { toAmount } from './present-account.ts';
import { presentCampaign, presentFoundCampaign, presentLink, presentListedCampaign } from './present-campaigns.ts';

const partnerRoute = route<PartnerScope>();
const readFilters = filterReader(CampaignFilters);

export const campaignRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.createCampaign, async ({ query, body, scope }) => {
    const { name, link: landingUrl, trial_duration: trialDays, coupon_id: couponId } = body;
    const campaign = await createCampaign(scope, { product: query.product, name, landingUrl, trialDays, couponId });
    return presentCampaign(scope.services, campaign);
  }),
  partnerRoute(contract.listCampaigns, async ({ query, scope }) => {
    const campaigns = await listCampaigns(scope, { state: query.state ?? 'active' });
    return { result: campaigns.map((campaign) => presentListedCampaign(scope.services, campaign)) };
  }),
  ...getAndPost(contract.searchCampaigns, async (query, scope) => {
    const { campaigns, total, earnedCents } = await searchCampaigns(scope, {
      state: query.state,
      product: ignoreAll(query.product),
      filters: readFilters(query.filters),
      order: query.sort_order ?? 'desc',
      page: query.page ?? 1,
    });
    return {
      value: toAmount(earnedCents),
      results: campaigns.map((campaign) => presentFoundCampaign(scope.services, campaign)),
      total,
      limit: CAMPAIGNS_PER_PAGE,
    };
  }),
  partnerRoute(contract.disableCampaign, async ({ params, scope }) => {
    await disableCampaign(scope, { id: Number(params.campaign_id) });
  }),
  partnerRoute(contract.getLinks, async ({ scope }) => {
    const { mainchat, chatbot, partner_program } = await getDefaultCampaigns(scope);
    return {
      mainchat: presentLink(scope.services, mainchat),
      chatbot: presentLink(scope.services, chatbot),
      partner_program: presentLink(scope.services, partner_program),
    };
  }),
];
