import type { Selectable } from 'kysely';
import type { CampaignsTable } from '#server/storage/tables/program.ts';
import type { PartnerScope } from '../../scope.ts';

export interface CampaignRecord extends Selectable<CampaignsTable> {
  /** The label of the campaign's coupon while it is active. */
  couponLabel: string | null;
}

/** The partner's campaigns with their coupons. */
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
