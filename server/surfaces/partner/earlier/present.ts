import type { EarlierProfile } from '#contracts/partner/earlier/profile.ts';
import type { PartnerRecord } from '#server/domain/partners/accounts.ts';
import { joinName } from './full-name.ts';

export const presentEarlierProfile = (partner: PartnerRecord): EarlierProfile => ({
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
});
