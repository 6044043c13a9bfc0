import type { EarlierLicence, EarlierPerformanceRow } from '#contracts/partner/earlier/affiliates.ts';
import type { DisabledCampaign } from '#contracts/partner/earlier/campaigns.ts';
import type { PerformanceRow } from '#server/domain/partners/affiliates/performance.ts';
import type { ClientLicence } from '#server/domain/partners/affiliates/tiers.ts';
import type { CampaignRecord } from '#server/domain/partners/campaigns/records.ts';
import { maskEmail } from '../mask-email.ts';
import { toPartnerTimestamp } from '../present.ts';
import { toAmount } from '../present-account.ts';
import { isPaid, toOptionalTimestamp } from '../present-affiliates.ts';

export const presentDisabledCampaign = (campaign: CampaignRecord): DisabledCampaign => ({
  name: campaign.name,
  slug: campaign.slug,
  trial_duration: campaign.trialDays,
  discount: campaign.couponLabel ?? '',
  creation_timestamp: toPartnerTimestamp(campaign.createdAt),
  disabled_timestamp: toPartnerTimestamp(campaign.disabledAt!),
});

export const presentEarlierLicence = (licence: ClientLicence): EarlierLicence => ({
  client_email: maskEmail(licence.clientEmail),
  creation_timestamp: toPartnerTimestamp(licence.createdAt),
  end_timestamp: toOptionalTimestamp(licence.endsAt),
  cc_added: licence.cardAddedAt !== null,
  paid: isPaid(licence),
  seats: licence.seats,
  plan: licence.plan,
  billing_cycle: licence.billingCycle,
  chat_installed: licence.installedAt !== null,
  conversations: licence.conversations,
  total_commission: toAmount(licence.earnedCents),
  commission_percent: licence.percent,
  utm_source: licence.utmSource,
  utm_medium: licence.utmMedium,
  utm_content: licence.utmContent,
  utm_term: licence.utmTerm,
  utm_campaign: licence.utmCampaign,
  blocked: licence.status === 'blocked',
});

/** With two decimals; of nothing it is none. */
const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;

const NUMBERS = ['clicks', 'trials', 'paid', 'installed', 'tenthChat', 'earnedCents'] as const;

const addUp = (rows: PerformanceRow[]): Record<(typeof NUMBERS)[number], number> =>
  Object.fromEntries(NUMBERS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Record<
    (typeof NUMBERS)[number],
    number
  >;

/** By marks alone: rows that differ only in product or campaign are one. */
export const presentEarlierPerformance = (rows: PerformanceRow[]): EarlierPerformanceRow[] => {
  const marksOf = ({ utmCampaign, utmMedium, utmContent, utmTerm }: PerformanceRow): string =>
    JSON.stringify([utmCampaign, utmMedium, utmContent, utmTerm]);
  return [...Map.groupBy(rows, marksOf).values()].map((alike) => {
    const { utmCampaign, utmMedium, utmContent, utmTerm } = alike[0]!;
    const { clicks, trials, paid, installed, tenthChat, earnedCents } = addUp(alike);
    return {
      ...{ campaign: utmCampaign, medium: utmMedium, content: utmContent, term: utmTerm },
      ...{ clicks, trials, trial_percent: percentOf(trials, clicks) },
      ...{ paid, paid_percent: percentOf(paid, trials) },
      commission: toAmount(earnedCents),
      chat_installations: installed,
      aha: tenthChat,
    };
  });
};
