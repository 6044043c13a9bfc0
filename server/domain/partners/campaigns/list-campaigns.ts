import type { CampaignProduct } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';
import { type CampaignRecord, fromCampaigns } from './records.ts';

export const listCampaigns = (
  scope: PartnerScope,
  { state }: { state: 'active' | 'disabled' },
): Promise<CampaignRecord[]> => {
  requirePartner(scope.actor);
  return fromCampaigns(scope)
    .where('campaigns.disabledAt', state === 'active' ? 'is' : 'is not', null)
    .orderBy('campaigns.id')
    .execute();
};

/** The default campaign of each product. */
export const getDefaultCampaigns = async (scope: PartnerScope): Promise<Record<CampaignProduct, CampaignRecord>> => {
  requirePartner(scope.actor);
  const campaigns = await fromCampaigns(scope).where('campaigns.isDefault', '=', true).execute();
  const of = (product: CampaignProduct): CampaignRecord => {
    const found = campaigns.find((campaign) => campaign.product === product);
    if (!found) throw notFound('Campaign');
    return found;
  };
  return { mainchat: of('mainchat'), chatbot: of('chatbot'), partner_program: of('partner_program') };
};
