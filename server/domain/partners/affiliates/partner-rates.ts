import type { PartnerScope } from '../../scope.ts';
import { getDefaultCampaigns } from '../campaigns/list-campaigns.ts';
import type { CampaignRecord } from '../campaigns/records.ts';
import { type FoundRate, rateFor } from '../rates/resolve.ts';

/** The partner's current rates for the main product. */
export interface PartnerRates {
  campaign: CampaignRecord;
  commission: FoundRate;
  discount: FoundRate;
}

export const readPartnerRates = async (scope: PartnerScope): Promise<PartnerRates> => {
  const { mainchat: campaign } = await getDefaultCampaigns(scope);
  const about = { partnerId: scope.partnerId, product: 'mainchat', at: scope.now() } as const;
  const [commission, discount] = await Promise.all([
    rateFor(scope.db, { ...about, kind: 'commission', program: 'affiliate', campaignId: campaign.id }),
    rateFor(scope.db, { ...about, kind: 'discount', program: 'solution' }),
  ]);
  return { campaign, commission, discount };
};
