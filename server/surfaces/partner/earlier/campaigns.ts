import * as contract from '#contracts/partner/earlier/campaigns.ts';
import { createCampaign } from '#server/domain/partners/campaigns/create-campaign.ts';
import { disableCampaign } from '#server/domain/partners/campaigns/disable-campaign.ts';
import { productUrlOf } from '#server/domain/partners/campaigns/links.ts';
import { listCampaigns } from '#server/domain/partners/campaigns/list-campaigns.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentCampaign, presentListedCampaign } from '../present-campaigns.ts';
import { presentDisabledCampaign } from './present-affiliates.ts';

const partnerRoute = route<PartnerScope>();
const PRODUCT = 'mainchat';

export const earlierCampaignRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.createEarlierCampaign, async ({ body, scope }) => {
    const { name, link, trial_duration: trialDays, coupon_id: couponId } = body;
    const landingUrl = link && `${productUrlOf(scope.services.installation, PRODUCT)}/${link.replace(/^\//, '')}`;
    const campaign = await createCampaign(scope, { product: PRODUCT, name, landingUrl, trialDays, couponId });
    return presentCampaign(scope.services, campaign);
  }),
  partnerRoute(contract.disableCampaignBySlug, async ({ params, scope }) => {
    await disableCampaign(scope, { slug: params.campaign_id });
    return {};
  }),
  partnerRoute(contract.listActiveCampaigns, async ({ scope }) => {
    const campaigns = await listCampaigns(scope, { state: 'active' });
    return { result: campaigns.map((campaign) => presentListedCampaign(scope.services, campaign)) };
  }),
  partnerRoute(contract.listDisabledCampaigns, async ({ scope }) => ({
    result: (await listCampaigns(scope, { state: 'disabled' })).map(presentDisabledCampaign),
  })),
];
