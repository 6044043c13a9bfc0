import type {
  AffiliateLicense,
  LicenseOfStatus,
  PerformanceRow,
  ReferredPartner,
} from '#contracts/partner/affiliates.ts';
import type { LicenseRecord } from '#server/domain/partners/affiliates/licenses.ts';
import type { PerformanceRow as Performance } from '#server/domain/partners/affiliates/performance.ts';
import type { ReferredPartner as Referred } from '#server/domain/partners/affiliates/referred-partners.ts';
import { toPartnerTimestamp } from './present.ts';
import { toAmount } from './present-account.ts';

/** Empty if there is no date. */
export const toOptionalTimestamp = (date: Date | null): string => (date ? toPartnerTimestamp(date) : '');

interface WithUtm {
  campaignName: string;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
}

const presentUtm = ({ campaignName, utmCampaign, utmMedium, utmContent, utmTerm }: WithUtm) => ({
  campaign_name: campaignName,
  utm_campaign: utmCampaign,
  utm_medium: utmMedium,
  utm_content: utmContent,
  utm_term: utmTerm,
});

/** An operator may activate a license without a payment. */
export const isPaid = ({ status, convertedAt }: Pick<LicenseRecord, 'status' | 'convertedAt'>): boolean =>
  status === 'active' || convertedAt !== null;

export const presentLicense = (license: LicenseRecord): AffiliateLicense => ({
  product: license.product,
  creation_timestamp: toPartnerTimestamp(license.createdAt),
  end_timestamp: toOptionalTimestamp(license.endsAt),
  active: license.status === 'trial' || license.status === 'active',
  ql: license.qualifiedAt !== null,
  cc_added: license.cardAddedAt !== null,
  paid: isPaid(license),
  blocked: license.status === 'blocked',
  commission_percent: license.percent,
  earnings: toAmount(license.earnedCents),
  ...presentUtm(license),
});

export const presentLicenseOfStatus = (status: string, license: LicenseRecord): LicenseOfStatus => ({
  campaign: license.campaignName,
  status,
  product: license.product,
  commission: license.percent,
  earnings: toAmount(license.earnedCents),
  creation_timestamp: toPartnerTimestamp(license.createdAt),
  conversion_timestamp: toOptionalTimestamp(license.convertedAt),
  expiration_timestamp: toOptionalTimestamp(license.endsAt),
});

export const presentPerformance = (row: Performance): PerformanceRow => ({
  product: row.product,
  ...presentUtm(row),
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
  ...presentUtm(partner),
  active_trials: partner.activeTrials,
  active_trials_cc_added: partner.activeTrialsWithCard,
  total_trials: partner.totalTrials,
  active_paid: partner.activePaid,
  total_paid: partner.totalPaid,
  commission: toAmount(partner.earnedCents),
});
