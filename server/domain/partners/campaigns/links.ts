import { randomInt } from 'node:crypto';
import type { CampaignProduct } from '#server/storage/tables/program.ts';
import type { Installation } from '../../scope.ts';

type Site = Pick<Installation, 'publicUrl'>;

/** The landing page of each product. */
export const productPages = {
  mainchat: '/products/mainchat',
  chatbot: '/products/chatbot',
  partner_program: '/join',
} as const satisfies Record<CampaignProduct, string>;

/** The path prefix of short links. */
const SHORT_LINKS = '/go/';

export const shortUrlOf = ({ publicUrl }: Site, code: string): string => `${publicUrl()}${SHORT_LINKS}${code}`;

export const productUrlOf = ({ publicUrl }: Site, product: CampaignProduct): string =>
  `${publicUrl()}${productPages[product]}`;

interface Linked {
  partnerId: number;
  product: CampaignProduct;
  slug: string;
  landingUrl: string | null;
}

/** The landing page of a campaign without tracking parameters. */
export const landingPageOf = (site: Site, campaign: Linked): string =>
  campaign.landingUrl ?? productUrlOf(site, campaign.product);

/** The landing page with tracking parameters; `extra` are the UTM values that a partner adds to a link. */
export const landingUrlOf = (site: Site, campaign: Linked, extra: Readonly<Record<string, string>> = {}): string => {
  const url = new URL(landingPageOf(site, campaign));
  const parameters = { ...extra, a: String(campaign.partnerId), utm_campaign: campaign.slug };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** A campaign may lead to this server or a host configured by the operator, but never to another short link. */
export const isLandingPage = (
  { publicUrl, landingHosts }: Pick<Installation, 'publicUrl' | 'landingHosts'>,
  text: string,
): boolean => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
  const own = new URL(publicUrl());
  if (url.host !== own.host) return landingHosts.includes(url.host);
  return url.protocol === own.protocol && !mayBeShortLink(url.pathname);
};

/** Decoded first, because a router treats `/%67o/` like `/go/`. */
const mayBeShortLink = (pathname: string): boolean => {
  try {
    return decodeURIComponent(pathname).toLowerCase().includes(SHORT_LINKS);
  } catch {
    return true;
  }
};

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 10;

/** Short enough to be read aloud, long enough not to be guessed, without characters that look alike. */
export const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
