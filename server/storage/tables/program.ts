import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { LicenseStatus } from './organizations.ts';
import type { Product } from './products.ts';

/** The product that a campaign promotes. The last value refers partners instead of customers. */
export type CampaignProduct = 'mainchat' | 'chatbot' | 'partner_program';
/** `affiliate` partners refer customers; `solution` partners buy licenses for them. */
export type Program = 'affiliate' | 'solution';

export type UncountedReason = 'head' | 'prefetch' | 'bot' | 'repeat' | 'campaign_disabled' | 'partner_blocked';

/** `numeric` is read as text and can be written as a number or text. */
type Percent<Absent = never> = ColumnType<string | Absent, number | Absent, number | Absent>;
type OptionalPercent = ColumnType<string | null, number | null | undefined, number | null>;
type OptionalDate = ColumnType<Date | null, Date | null | undefined, Date | null>;
type OptionalNumber = ColumnType<number | null, number | null | undefined, number | null>;
type OptionalText = ColumnType<string | null, string | null | undefined, string | null>;

export interface CouponsTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  label: string;
  percentOff: OptionalPercent;
  amountOffCents: OptionalNumber;
  active: Generated<boolean>;
  createdAt: Date;
}

export interface CampaignsTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  product: CampaignProduct;
  name: string;
  /** `utm_campaign` of its links. */
  slug: string;
  /** The last path segment of the short link. */
  code: string;
  /** Null means the page of the product. */
  landingUrl: OptionalText;
  trialDays: Generated<number>;
  couponId: OptionalNumber;
  isDefault: Generated<boolean>;
  createdAt: Date;
  disabledAt: OptionalDate;
}

export interface ClicksTable {
  partnerId: number;
  id: string;
  campaignId: number;
  visitorId: string;
  fingerprint: Buffer;
  clickedAt: Date;
  userAgent: OptionalText;
  referrer: OptionalText;
  utmMedium: Generated<string>;
  utmContent: Generated<string>;
  utmTerm: Generated<string>;
}

export interface UncountedClicksTable {
  partnerId: number;
  id: string;
  campaignId: number;
  reason: UncountedReason;
  visitorId: string;
  fingerprint: Buffer;
  clickedAt: Date;
  userAgent: OptionalText;
  referrer: OptionalText;
}

export interface ClickDaysTable {
  partnerId: number;
  day: string;
  campaignId: number;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
  clicks: number;
}

export interface ClickMonthsTable extends Omit<ClickDaysTable, 'day'> {
  /** The first day of the month. */
  month: string;
}

/** A batch of clicks that are not counted yet; see `domain/partners/clicks/stored-batches.ts`. */
export interface ClickBatchesTable {
  id: string;
  storedAt: Date;
  clicks: string;
}

export interface ReferredLicensesTable {
  partnerId: number;
  organizationId: string;
  program: Program;
  product: Product;
  campaignId: OptionalNumber;
  clickId: OptionalText;
  utmCampaign: Generated<string>;
  utmMedium: Generated<string>;
  utmContent: Generated<string>;
  utmTerm: Generated<string>;
  utmSource: Generated<string>;
  couponId: OptionalNumber;
  /** A copy of the organization's status, updated by `domain/partners/referrals/follow-license.ts`. */
  status: LicenseStatus;
  endsAt: OptionalDate;
  createdAt: Date;
  cardAddedAt: OptionalDate;
  /** When the widget was first seen on a site. */
  installedAt: OptionalDate;
  /** When the widget was installed or the first chat took place. */
  qualifiedAt: OptionalDate;
  tenthChatAt: OptionalDate;
  /** When the first payment was made. */
  convertedAt: OptionalDate;
}

/** Totals over all licenses with the same product, campaign and UTM values; see the projection `partner_performance`. */
export interface PerformanceTotalsTable {
  partnerId: number;
  product: Product;
  /** 0 if there is none. */
  campaignId: number;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
  trials: number;
  qualified: number;
  installed: number;
  tenthChat: number;
  paid: number;
  earnedCents: number;
}

export interface ReferredPartnersTable {
  partnerId: number;
  referredId: number;
  campaignId: OptionalNumber;
  clickId: OptionalText;
  utmCampaign: Generated<string>;
  utmMedium: Generated<string>;
  utmContent: Generated<string>;
  utmTerm: Generated<string>;
  createdAt: Date;
}

export type RateKind = 'commission' | 'second_tier' | 'discount';

export interface RatesTable {
  id: GeneratedAlways<number>;
  kind: RateKind;
  program: ColumnType<Program | null, Program | null | undefined, Program | null>;
  product: ColumnType<Product | null, Product | null | undefined, Product | null>;
  forPartnerId: OptionalNumber;
  forCampaignId: OptionalNumber;
  percent: Percent;
  startsAt: Date;
  endsAt: OptionalDate;
  createdAt: Date;
}
