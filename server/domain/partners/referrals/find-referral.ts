import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClickingReferrerRow,
  findLastReferrer,
  findNamedReferrer,
  type ReferrerRow,
} from '#server/storage/platform-referrals.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { CampaignProduct } from '#server/storage/tables/program.ts';
import type { PlatformScope } from '../../scope.ts';
import { readPartnerId } from '../clicks/find-link.ts';
import { isSamePerson } from './same-person.ts';

const MAX_WAIT_MS = 5_000;
/** The attribution window of a click. */
const ATTRIBUTED_MS = 120 * 24 * 3600 * 1000;

/** What is known about how a visitor came here. */
export interface Attribution {
  /** The visitor id in the browser's cookie. */
  visitorId?: string | undefined;
  /** The partner id in the link; unchecked input. */
  a?: string | undefined;
  utmCampaign?: string | undefined;
  utmMedium?: string | undefined;
  utmContent?: string | undefined;
  utmTerm?: string | undefined;
  utmSource?: string | undefined;
}

export interface Referral {
  partnerId: number;
  campaignId: number | null;
  clickId: string | null;
  utmCampaign: string;
  utmMedium: string;
  utmContent: string;
  utmTerm: string;
  utmSource: string;
  /** The offer of the campaign, if it is for the same product. */
  offer: { trialDays: number; couponId: number | null } | undefined;
}

interface SignedUp {
  product: Product | CampaignProduct;
  email: string;
}

/** Writes buffered clicks first, since the last click may be among them, but waits for a long buffer only up to the limit. */
const findClicked = async (
  scope: PlatformScope,
  { visitorId }: Attribution,
): Promise<ClickingReferrerRow | undefined> => {
  if (visitorId === undefined) return undefined;
  await Promise.race([scope.services.partners.clicks.flush(), delay(MAX_WAIT_MS, undefined, { ref: false })]);
  const since = new Date(scope.now().getTime() - ATTRIBUTED_MS);
  return findLastReferrer(scope.executor, { visitorId, since });
};

/** The partner named in the link, unless there is none or the campaign is disabled. */
const findNamed = async (
  scope: PlatformScope,
  { a = '', utmCampaign = '' }: Attribution,
  product: string,
): Promise<ReferrerRow | undefined> => {
  const partnerId = readPartnerId(a.trim());
  if (partnerId === undefined) return undefined;
  const named = await findNamedReferrer(scope.executor, { partnerId, slug: utmCampaign, product });
  return named?.disabledAt ? undefined : named;
};

const isAllowed = ({ blocked, login, contactEmail, payoutAccount }: ReferrerRow, email: string): boolean =>
  !blocked && !isSamePerson(email, [login, contactEmail, payoutAccount]);

const offerOf = ({ campaignProduct, trialDays, couponId }: ReferrerRow, product: string): Referral['offer'] =>
  campaignProduct === product && trialDays !== null ? { trialDays, couponId } : undefined;

/**
 * The partner who gets the referral: the one named in the link, otherwise the one whose link was clicked last. A blocked partner,
 * or a partner who signs up by their own link, gets nothing, and no other partner does either.
 */
export const findReferral = async (
  scope: PlatformScope,
  attribution: Attribution,
  { product, email }: SignedUp,
): Promise<Referral | undefined> => {
  const clicked = await findClicked(scope, attribution);
  const named = await findNamed(scope, attribution, product);
  const referrer = named ?? clicked;
  if (!referrer || !isAllowed(referrer, email)) return undefined;
  const { partnerId, campaignId } = referrer;
  const isByClick = clicked?.partnerId === partnerId && clicked.campaignId === campaignId;
  const click = isByClick ? clicked : undefined;
  const pickUtm = (sent: string | undefined, before: string | undefined): string => (named && sent) || before || '';
  return {
    partnerId,
    campaignId,
    clickId: click?.clickId ?? null,
    utmCampaign: pickUtm(attribution.utmCampaign, referrer.slug ?? ''),
    utmMedium: pickUtm(attribution.utmMedium, click?.utmMedium),
    utmContent: pickUtm(attribution.utmContent, click?.utmContent),
    utmTerm: pickUtm(attribution.utmTerm, click?.utmTerm),
    utmSource: pickUtm(attribution.utmSource, undefined),
    offer: offerOf(referrer, product),
  };
};
