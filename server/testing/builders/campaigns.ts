import { createCampaign } from '#server/domain/partners/campaigns/create-campaign.ts';
import type { PartnerScope } from '#server/domain/scope.ts';

export interface TestCampaign {
  id: number;
  slug: string;
}

/** A campaign with a coupon and clicks. All texts contain a unique marker. */
export const buildCampaign = async (scope: PartnerScope, couponId: number, marker: string): Promise<TestCampaign> => {
  const { id, slug } = await createCampaign(scope, { product: 'mainchat', name: marker, couponId });
  const row = { campaignId: id, utmMedium: marker, utmContent: marker, utmTerm: marker };
  await scope.insert('clickDays', { ...row, day: '2026-03-01', clicks: 3 }).execute();
  await scope.insert('clickMonths', { ...row, month: '2026-03-01', clicks: 3 }).execute();
  return { id, slug };
};
