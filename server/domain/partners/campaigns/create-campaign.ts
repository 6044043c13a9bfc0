import { sql } from 'kysely';
import { isUniqueViolation } from '#server/storage/database-errors.ts';
import type { CampaignProduct } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';
import { isLandingPage, newCode } from './links.ts';
import type { CampaignRecord } from './records.ts';
import { numberedSlug, toSlug } from './slug.ts';

export interface NewCampaign {
  product: CampaignProduct;
  name: string;
  /** Defaults to the landing page of the product. */
  landingUrl?: string | undefined;
  trialDays?: number | undefined;
  couponId?: number | undefined;
}

const MIN_NAME_LENGTH = 5;
const DEFAULT_TRIAL_DAYS = 14;

/** Surrounding spaces are ignored in the length and in the comparison with other names. */
const readName = (text: string): string => {
  const name = text.trim();
  if ([...name].length < MIN_NAME_LENGTH) throw invalid('name', `must have at least ${MIN_NAME_LENGTH} characters`);
  return name;
};

const assertLandingPage = ({ services: { installation } }: PartnerScope, url: string | undefined): void => {
  if (url === undefined || isLandingPage(installation, url)) return;
  const hosts = [new URL(installation.publicUrl()).host, ...installation.landingHosts];
  throw invalid('link', `must be the URL of a page on ${hosts.join(' or ')}`);
};

const getCouponLabel = async (scope: PartnerScope, { product, couponId }: NewCampaign): Promise<string | null> => {
  if (couponId === undefined) return null;
  const rejection = new DomainError('forbidden', 'The coupon must be active and the product must be mainchat');
  if (product !== 'mainchat') throw rejection;
  const coupon = await scope
    .from('coupons')
    .where('id', '=', couponId)
    .where('active', '=', true)
    .select('label')
    .executeTakeFirst();
  if (!coupon) throw rejection;
  return coupon.label;
};

const listSlugs = async (scope: PartnerScope, slug: string): Promise<Set<string>> => {
  const begins = sql<boolean>`starts_with(slug, ${slug})`;
  const rows = await scope.from('campaigns').where(begins).select('slug').execute();
  return new Set(rows.map((row) => row.slug));
};

type Row = Pick<CampaignRecord, 'product' | 'name' | 'landingUrl' | 'trialDays' | 'couponId'>;

/** A concurrent request may take the slug between the check and the insert. The next free slug is tried in that case. */
const write = async (scope: PartnerScope, row: Row): Promise<Omit<CampaignRecord, 'couponLabel'>> => {
  const preferred = toSlug(row.name);
  for (;;) {
    const slug = numberedSlug(preferred, await listSlugs(scope, preferred));
    const written = await scope
      .insert('campaigns', { ...row, slug, code: newCode(), createdAt: scope.now() })
      .onConflict((conflict) => conflict.columns(['partnerId', 'slug']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (written) return written;
  }
};

export const createCampaign = async (scope: PartnerScope, input: NewCampaign): Promise<CampaignRecord> => {
  requirePartner(scope.actor);
  const { product, landingUrl = null, trialDays, couponId = null } = input;
  const name = readName(input.name);
  if (trialDays !== undefined && product !== 'mainchat')
    throw invalid('trialDuration', 'is allowed only for the product mainchat');
  assertLandingPage(scope, input.landingUrl);
  const couponLabel = await getCouponLabel(scope, input);
  try {
    const row = { product, name, landingUrl, trialDays: trialDays ?? DEFAULT_TRIAL_DAYS, couponId };
    return { ...(await write(scope, row)), couponLabel };
  } catch (error) {
    if (isUniqueViolation(error, 'campaigns_name'))
      throw new DomainError('conflict', 'An active campaign already has this name');
    throw error;
  }
};
