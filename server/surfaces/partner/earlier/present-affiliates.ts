import type { EarlierLicense, EarlierPerformanceRow } from '#contracts/partner/earlier/affiliates.ts';
import type { DisabledCampaign } from '#contracts/partner/earlier/campaigns.ts';
import type { PerformanceRow } from '#server/domain/partners/affiliates/performance.ts';
import type { ClientLicense } from '#server/domain/partners/affiliates/tiers.ts';
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

export const presentEarlierLicense = (license: ClientLicense): EarlierLicense => ({
  client_email: maskEmail(license.clientEmail),
  creation_timestamp: toPartnerTimestamp(license.createdAt),
  end_timestamp: toOptionalTimestamp(license.endsAt),
  cc_added: license.cardAddedAt !== null,
  paid: isPaid(license),
  seats: license.seats,
  plan: license.plan,
  billing_cycle: license.billingCycle,
  chat_installed: license.installedAt !== null,
  conversations: license.conversations,
  total_commission: toAmount(license.earnedCents),
  commission_percent: license.percent,
  utm_source: license.utmSource,
  utm_medium: license.utmMedium,
  utm_content: license.utmContent,
  utm_term: license.utmTerm,
  utm_campaign: license.utmCampaign,
  blocked: license.status === 'blocked',
});

/** Two decimals; 0 if there is nothing to divide by. */
const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;

const NUMBERS = ['clicks', 'trials', 'paid', 'installed', 'tenthChat', 'earnedCents'] as const;

const addUp = (rows: PerformanceRow[]): Record<(typeof NUMBERS)[number], number> =>
  Object.fromEntries(NUMBERS.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Record<
    (typeof NUMBERS)[number],
    number
  >;

/** Groups by UTM values only: rows that differ in product or campaign are merged. */
export const presentEarlierPerformance = (rows: PerformanceRow[]): EarlierPerformanceRow[] => {
  const utmKeyOf = ({ utmCampaign, utmMedium, utmContent, utmTerm }: PerformanceRow): string =>
    JSON.stringify([utmCampaign, utmMedium, utmContent, utmTerm]);
  return [...Map.groupBy(rows, utmKeyOf).values()].map((group) => {
    const { utmCampaign, utmMedium, utmContent, utmTerm } = group[0]!;
    const { clicks, trials, paid, installed, tenthChat, earnedCents } = addUp(group);
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
