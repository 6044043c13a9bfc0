import type { Campaign, FoundCampaign } from '#contracts/partner/campaigns.ts';
import { landingPageOf, landingUrlOf, shortUrlOf } from '#server/domain/partners/campaigns/links.ts';
import type { CampaignRecord } from '#server/domain/partners/campaigns/records.ts';
import type { Services } from '#server/domain/scope.ts';
import { toPartnerTimestamp } from './present.ts';

export const presentLink = (services: Services, campaign: CampaignRecord) => ({
  url: landingUrlOf(services.installation, campaign),
  short_url: shortUrlOf(services.installation, campaign.code),
});

export const presentCampaign = (services: Services, campaign: CampaignRecord): Campaign => ({
  id: campaign.id,
  product: campaign.product,
  name: campaign.name,
  slug: campaign.slug,
  ...presentLink(services, campaign),
  creation_timestamp: toPartnerTimestamp(campaign.createdAt),
  trial_duration: campaign.trialDays,
  discount: campaign.couponLabel ?? '',
});

export const presentListedCampaign = (services: Services, campaign: CampaignRecord) => ({
  ...presentCampaign(services, campaign),
  active: campaign.disabledAt === null,
});

const presentOffer = ({ couponId, couponLabel }: CampaignRecord): FoundCampaign['offer'] =>
  couponId === null || couponLabel === null ? null : { coupon_id: couponId, discount: couponLabel };

export const presentFoundCampaign = (services: Services, campaign: CampaignRecord): FoundCampaign => ({
  id: campaign.id,
  name: campaign.name,
  product: campaign.product,
  created_at: toPartnerTimestamp(campaign.createdAt),
  landing_page_url: landingPageOf(services.installation, campaign),
  slug: campaign.slug,
  is_default: campaign.isDefault,
  region: services.installation.region,
  offer: presentOffer(campaign),
});
