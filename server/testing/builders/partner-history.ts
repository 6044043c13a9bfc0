import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { writeToken } from '#server/domain/partners/accounts/tokens.ts';
import { writeDefaultCampaigns } from '#server/domain/partners/campaigns/default-campaigns.ts';
import { openClickBatch } from '#server/domain/partners/clicks/click-batch.ts';
import { writeClicks } from '#server/domain/partners/clicks/write-clicks.ts';
import { post } from '#server/domain/partners/ledger/post.ts';
import { addReferredLicense } from '#server/domain/partners/referrals/add-referred-license.ts';
import { enterPartner, openPlatformScope } from '#server/domain/scope.ts';
import type { LicenseStatus } from '#server/storage/tables/organizations.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/program.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import { partnerScope } from '#server/testing/builders/ledger.ts';

/** A partner, a partner it referred, and an unrelated partner. */
export type PartnerRole = 'partner' | 'referred' | 'stranger';

export interface PastClick {
  who: PartnerRole;
  /** The index of the partner's campaign. */
  campaign: number;
  medium: string;
  at: Date;
}

export interface PastLicense {
  who: PartnerRole;
  program: Program;
  product: Product;
  campaign: number | null;
  medium: string;
  at: Date;
  status: LicenseStatus;
  card: boolean;
  qualified: boolean;
  convertedAt: Date | null;
  /** Cents for the referrer of the license and for the referrer of that partner. */
  postings: { at: Date; product: Product; own: number; second: number }[];
}

export interface History {
  clicks: PastClick[];
  licenses: PastLicense[];
  /** How the referred partner joined. */
  joined: { at: Date; campaign: number | null; medium: string };
}

/** The time of the controlled clock. */
export const NOW = new Date(Date.UTC(2026, 2, 2, 10));
export const DAY_MS = 24 * 3600 * 1000;
const TODAY = Date.UTC(2026, 2, 2);

/** Often exactly at a day boundary, and sometimes before the range of reports. */
export const anyMoment: fc.Arbitrary<Date> = fc
  .tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1, 999, 1000, 36_000_000, DAY_MS - 1000, DAY_MS - 1))
  .map(([days, ms]) => new Date(Math.min(NOW.getTime(), TODAY - days * DAY_MS + ms)));

const anyPartnerRole = fc.constantFrom<PartnerRole>('partner', 'partner', 'partner', 'referred', 'stranger');
const anyMedium = fc.constantFrom('', 'mail', 'Mail', "it's");
const anyProduct = fc.constantFrom<Product>('mainchat', 'chatbot', 'helpdesk');
const anyCampaign = fc.nat({ max: 3 });
const anyCents = fc.integer({ min: -5000, max: 20_000 });
const anyPosting = fc.record({ at: anyMoment, product: anyProduct, own: anyCents, second: anyCents });

export const anyHistory: fc.Arbitrary<History> = fc.record({
  clicks: fc.array(fc.record({ who: anyPartnerRole, campaign: anyCampaign, medium: anyMedium, at: anyMoment }), {
    maxLength: 25,
  }),
  licenses: fc.array(
    fc.record({
      who: anyPartnerRole,
      program: fc.constantFrom<Program>('affiliate', 'affiliate', 'solution'),
      product: anyProduct,
      campaign: fc.option(anyCampaign),
      medium: anyMedium,
      at: anyMoment,
      status: fc.constantFrom<LicenseStatus>('trial', 'active', 'expired', 'blocked'),
      card: fc.boolean(),
      qualified: fc.boolean(),
      convertedAt: fc.option(anyMoment),
      postings: fc.array(anyPosting, { maxLength: 3 }),
    }),
    { maxLength: 12 },
  ),
  joined: fc.record({ at: anyMoment, campaign: fc.option(anyCampaign), medium: anyMedium }),
});

export interface PastPartner {
  id: number;
  token: string;
  /** Three default campaigns and one more. */
  campaigns: { id: number; name: string; product: string; slug: string }[];
}

export type PastPartners = Record<PartnerRole, PastPartner>;

/** Without hashing a password, which is slow. */
const writePartner = ({ context }: TestApp): Promise<PastPartner> =>
  openPlatformScope(context.services, { kind: 'system' }).transaction(async (tx) => {
    const login = `${randomUUID()}@partner.test`;
    const names = { firstName: 'P', lastName: 'P', contactName: 'P', contactEmail: login };
    const row = { login, passwordHash: 'x', ...names, referredBy: null, createdAt: tx.now() };
    const { id } = await tx.db.insertInto('partners').values(row).returning('id').executeTakeFirstOrThrow();
    const inside = enterPartner(tx, id);
    await writeDefaultCampaigns(inside);
    const own = { product: 'mainchat', name: 'Own one', slug: 'pp_own-one', code: randomUUID() } as const;
    await inside.insert('campaigns', { ...own, createdAt: tx.now() }).execute();
    const { token } = await writeToken(inside, 'First');
    const campaigns = await inside.from('campaigns').orderBy('id').select(['id', 'name', 'product', 'slug']).execute();
    return { id, token, campaigns };
  });

export const campaignOf = ({ campaigns }: PastPartner, which: number | null) =>
  which === null ? undefined : campaigns[which];

const writeLicense = async (
  test: TestApp,
  cast: PastPartners,
  history: History,
  license: PastLicense,
): Promise<void> => {
  const { at: createdAt, status, program, product } = license;
  const organizationId = randomUUID();
  const row = {
    id: organizationId,
    name: 'A',
    plan: 'team',
    region: 'dal',
    timezone: 'UTC',
    trialEndsAt: null,
  } as const;
  await test.context.database.kysely
    .insertInto('organizations')
    .values({ ...row, status, createdAt })
    .execute();
  const own = cast[license.who];
  const campaign = campaignOf(own, license.campaign);
  const about = { organizationId, program, product, status, createdAt, campaignId: campaign?.id ?? null };
  const utm = { utmCampaign: campaign?.slug ?? '', utmMedium: license.medium };
  const steps = {
    cardAddedAt: license.card ? createdAt : null,
    qualifiedAt: license.qualified ? createdAt : null,
    convertedAt: license.convertedAt,
  };
  await addReferredLicense(partnerScope(test, own.id), { ...about, ...utm, ...steps });
  const joinedBy = campaignOf(cast.partner, history.joined.campaign)?.id ?? null;
  for (const posting of license.postings) {
    const common = { kind: 'commission', externalId: randomUUID(), program, organizationId } as const;
    const paid = { ...common, licenseProduct: posting.product, occurredAt: posting.at };
    const earn = (who: PastPartner, where: Product | 'partner_program', campaignId: number | null, cents: number) =>
      partnerScope(test, who.id).transaction((tx) =>
        post(tx, { ...paid, product: where, campaignId, entries: { commission: -cents, available: cents } }),
      );
    await earn(own, posting.product, about.campaignId, posting.own);
    if (license.who === 'referred') await earn(cast.partner, 'partner_program', joinedBy, posting.second);
  }
};

export const writeHistory = async (test: TestApp, history: History): Promise<PastPartners> => {
  const cast: PastPartners = {
    partner: await writePartner(test),
    referred: await writePartner(test),
    stranger: await writePartner(test),
  };
  const joinedBy = campaignOf(cast.partner, history.joined.campaign);
  const joined = { utmCampaign: joinedBy?.slug ?? '', utmMedium: history.joined.medium, createdAt: history.joined.at };
  await partnerScope(test, cast.partner.id)
    .insert('referredPartners', { referredId: cast.referred.id, campaignId: joinedBy?.id ?? null, ...joined })
    .execute();
  const clicks = history.clicks.map(({ who, campaign, medium, at }) => ({
    ...{ partnerId: cast[who].id, campaignId: campaignOf(cast[who], campaign)!.id },
    // Every click has a different visitor, because repeated clicks do not count.
    ...{ visitorId: randomUUID(), returning: true, fingerprint: randomUUID().replaceAll('-', ''), reason: undefined },
    ...{ clickedAt: at, userAgent: undefined, referrer: undefined, utmMedium: medium, utmContent: '', utmTerm: '' },
  }));
  const batch = openClickBatch();
  for (const click of clicks) batch.add(click);
  if (clicks.length > 0) await test.context.database.transaction((tx) => writeClicks(tx, batch.close()));
  for (const license of history.licenses) await writeLicense(test, cast, history, license);
  return cast;
};
