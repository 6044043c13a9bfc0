import type { EarlierProfile } from '#contracts/partner/earlier/profile.ts';
import type { PartnerRecord } from '#server/domain/partners/accounts/accounts.ts';
import type { PartnerRates } from '#server/domain/partners/affiliates/partner-rates.ts';
import type { ExpertListing } from '#server/domain/partners/experts/ranking.ts';
import type { FoundRate } from '#server/domain/partners/rates/resolve.ts';
import type { Services } from '#server/domain/scope.ts';
import { toOptionalTimestamp } from '../present-affiliates.ts';
import { presentLink } from '../present-campaigns.ts';
import { joinName } from './full-name.ts';

const presentRate = ({ percent, endsAt }: FoundRate) => ({ percent, end_timestamp: toOptionalTimestamp(endsAt) });

export const presentEarlierProfile = (
  services: Services,
  partner: PartnerRecord,
  { campaign, commission, discount }: PartnerRates,
  { status, position }: ExpertListing,
): EarlierProfile => ({
  partner_id: String(partner.id),
  login: partner.login,
  full_name: joinName(partner),
  contact_name: partner.contactName,
  contact_email: partner.contactEmail,
  websites: partner.websites,
  send_monthly_summary: partner.sendMonthlySummary,
  send_reseller_weekly_summary: partner.sendResellerWeeklySummary,
  send_newsletter: partner.sendNewsletter,
  send_notifications: partner.sendNotifications,
  affiliate: { ...presentLink(services, campaign), current_commission: presentRate(commission) },
  reseller: { current_discount: presentRate(discount) },
  expert: { status, marketplace_position: position },
});
