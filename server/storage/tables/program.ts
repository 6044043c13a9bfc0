import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { LicenseStatus } from './organizations.ts';
import type { Product } from './products.ts';

/** What a campaign is for: the last brings partners. */
export type CampaignProduct = 'mainchat' | 'chatbot' | 'partner_program';
/** `affiliate` brings customers, `solution` buys for them. */
export type Program = 'affiliate' | 'solution';

export type UncountedReason = 'head' | 'prefetch' | 'bot' | 'repeat' | 'campaign_disabled' | 'partner_blocked';

/** `numeric` comes as text and leaves as either. */
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
  /** The last part of its short link. */
  code: string;
  /** Absent: the product's own page. */
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
  /** Its first day. */
  month: string;
}

/** Many in a row, as they came; see `domain/clicks/kept-clicks.ts`. */
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
  /** The organization's own; a trigger keeps both alike. */
  status: LicenseStatus;
  endsAt: OptionalDate;
  createdAt: Date;
  cardAddedAt: OptionalDate;
  /** When its widget was first seen on a site. */
  installedAt: OptionalDate;
  /** Installed, or chatted with. */
  qualifiedAt: OptionalDate;
  tenthChatAt: OptionalDate;
  /** The first payment. */
  convertedAt: OptionalDate;
}

/** What came of all licenses with the same marks; triggers keep it. */
export interface PerformanceTotalsTable {
  partnerId: number;
  product: Product;
  /** 0: none. */
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
