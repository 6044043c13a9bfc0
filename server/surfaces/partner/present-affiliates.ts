import type {
  AffiliateLicence,
  LicenceOfStatus,
  PerformanceRow,
  ReferredPartner,
} from '#contracts/partner/affiliates.ts';
import type { LicenceRecord } from '#server/domain/partners/affiliates/licences.ts';
import type { PerformanceRow as Performance } from '#server/domain/partners/affiliates/performance.ts';
import type { ReferredPartner as Referred } from '#server/domain/partners/affiliates/referred-partners.ts';
import { toPartnerTimestamp } from './present.ts';
import { toAmount } from './present-account.ts';

/** Empty where nothing has happened. */
export const toOptionalTimestamp = (date: Date | null): string => (date ? toPartnerTimestamp(date) : '');

interface Marked {
  campaignName: string;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
}

const presentMarks = ({ campaignName, utmCampaign, utmMedium, utmContent, utmTerm }: Marked) => ({
  campaign_name: campaignName,
  utm_campaign: utmCampaign,
  utm_medium: utmMedium,
  utm_content: utmContent,
  utm_term: utmTerm,
});

/** An operator may let a licence be active without a payment. */
export const isPaid = ({ status, convertedAt }: Pick<LicenceRecord, 'status' | 'convertedAt'>): boolean =>
  status === 'active' || convertedAt !== null;

export const presentLicence = (licence: LicenceRecord): AffiliateLicence => ({
  product: licence.product,
  creation_timestamp: toPartnerTimestamp(licence.createdAt),
  end_timestamp: toOptionalTimestamp(licence.endsAt),
  active: licence.status === 'trial' || licence.status === 'active',
  ql: licence.qualifiedAt !== null,
  cc_added: licence.cardAddedAt !== null,
  paid: isPaid(licence),
  blocked: licence.status === 'blocked',
  commission_percent: licence.percent,
  earnings: toAmount(licence.earnedCents),
  ...presentMarks(licence),
});

export const presentLicenceOfStatus = (status: string, licence: LicenceRecord): LicenceOfStatus => ({
  campaign: licence.campaignName,
  status,
  product: licence.product,
  commission: licence.percent,
  earnings: toAmount(licence.earnedCents),
  creation_timestamp: toPartnerTimestamp(licence.createdAt),
  conversion_timestamp: toOptionalTimestamp(licence.convertedAt),
  expiration_timestamp: toOptionalTimestamp(licence.endsAt),
});

export const presentPerformance = (row: Performance): PerformanceRow => ({
  product: row.product,
  ...presentMarks(row),
  clicks: row.clicks,
  trials: row.trials,
  qls: row.qualified,
  paid: row.paid,
  partners_referred: row.partnersReferred,
  commission: toAmount(row.earnedCents),
});

export const presentReferredPartner = (partner: Referred): ReferredPartner => ({
  partner_id: String(partner.partnerId),
  creation_timestamp: toPartnerTimestamp(partner.createdAt),
  ...presentMarks(partner),
  active_trials: partner.activeTrials,
  active_trials_cc_added: partner.activeTrialsWithCard,
  total_trials: partner.totalTrials,
  active_paid: partner.activePaid,
  total_paid: partner.totalPaid,
  commission: toAmount(partner.earnedCents),
});
