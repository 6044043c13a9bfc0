import type { Selectable } from 'kysely';
import type { CampaignsTable } from '#server/storage/tables/programme.ts';
import type { PartnerScope } from '../../scope.ts';

export interface CampaignRecord extends Selectable<CampaignsTable> {
  /** Of the coupon that comes with it, while that is active. */
  couponLabel: string | null;
}

/** The partner's campaigns, each with its coupon. */
export const fromCampaigns = (scope: PartnerScope) =>
  scope
    .from('campaigns')
    .leftJoin('coupons', (join) =>
      join
        .onRef('coupons.partnerId', '=', 'campaigns.partnerId')
        .onRef('coupons.id', '=', 'campaigns.couponId')
        .on('coupons.active', '=', true),
    )
    .selectAll('campaigns')
    .select('coupons.label as couponLabel');
