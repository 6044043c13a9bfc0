import { sql } from 'kysely';
import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';

export interface ReferredPartner {
  partnerId: number;
  createdAt: Date;
  campaignName: string;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
  /** Counts of the licenses that the referred partner referred: current and total. */
  activeTrials: number;
  activeTrialsWithCard: number;
  totalTrials: number;
  activePaid: number;
  totalPaid: number;
  /** The second-tier commission from the referred partner. */
  earnedCents: number;
}

/**
 * The partners that this partner referred, newest first. Earnings are read by license in a lateral join: joined with the counts,
 * the whole ledger would be read for each referred partner.
 */
export const listReferredPartners = async (scope: PartnerScope): Promise<ReferredPartner[]> => {
  requirePartner(scope.actor);
  const found = await sql<ReferredPartner>`
    select p.referred_id as "partnerId", p.created_at as "createdAt", coalesce(c.name, '') as "campaignName",
      p.utm_campaign as "utmCampaign", p.utm_medium as "utmMedium", p.utm_content as "utmContent", p.utm_term as "utmTerm",
      n.active_trials as "activeTrials", n.with_card as "activeTrialsWithCard", n.total as "totalTrials",
      n.active_paid as "activePaid", n.total_paid as "totalPaid", earned.cents as "earnedCents"
    from referred_partners p
    left join campaigns c on c.partner_id = p.partner_id and c.id = p.campaign_id
    cross join lateral (
      select count(*) as total,
        count(*) filter (where l.status = 'trial') as active_trials,
        count(*) filter (where l.status = 'trial' and l.card_added_at is not null) as with_card,
        count(*) filter (where l.status = 'active') as active_paid,
        count(*) filter (where l.converted_at is not null) as total_paid
      from referred_licenses l where l.partner_id = p.referred_id) n
    cross join lateral (
      select coalesce(-sum(s.amount_cents), 0)::bigint as cents
      from referred_licenses l
      join ledger_licenses s on s.partner_id = ${scope.partnerId} and s.organization_id = l.organization_id and s.account = 'commission'
      where l.partner_id = p.referred_id) earned
    where p.partner_id = ${scope.partnerId}
    order by p.created_at desc, p.referred_id desc`.execute(scope.db);
  return found.rows;
};
