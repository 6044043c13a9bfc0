import { campaignOf, type History, type PastLicense, type PastPartners } from '../builders/partner-history.ts';

/** A half-open time range. */
export interface ModelSpan {
  from: number;
  until: number;
}

/** One countable event. */
export interface Fact {
  at: number;
  campaignId: number;
  program: string;
  product: string;
  licenseProduct: string;
  amount: number;
}

export type Facts = Record<'clicks' | 'trials' | 'conversions' | 'commission', Fact[]>;

const inside = ({ from, until }: ModelSpan, at: Date | number): boolean => Number(at) >= from && Number(at) < until;

/** All countable events of the partner, derived without any rollups. */
export const factsOf = (history: History, cast: PastPartners): Facts => {
  const facts: Facts = { clicks: [], trials: [], conversions: [], commission: [] };
  const joinedBy = campaignOf(cast.partner, history.joined.campaign)?.id ?? 0;
  for (const { who, campaign, at } of history.clicks) {
    if (who !== 'partner') continue;
    const { id, product } = campaignOf(cast.partner, campaign)!;
    facts.clicks.push({ at: Number(at), campaignId: id, program: '', product, licenseProduct: '', amount: 1 });
  }
  for (const license of history.licenses) {
    const { who, program, product, convertedAt, postings } = license;
    const campaignId = campaignOf(cast.partner, license.campaign)?.id ?? 0;
    const own = { campaignId, program, product, licenseProduct: product, amount: 1 };
    if (who === 'partner' && program === 'affiliate') {
      facts.trials.push({ ...own, at: Number(license.at) });
      if (convertedAt) facts.conversions.push({ ...own, at: Number(convertedAt) });
    }
    for (const posting of postings) {
      const paid = { at: Number(posting.at), program, licenseProduct: posting.product };
      if (who === 'partner')
        facts.commission.push({ ...paid, campaignId, product: posting.product, amount: posting.own });
      if (who === 'referred')
        facts.commission.push({ ...paid, campaignId: joinedBy, product: 'partner_program', amount: posting.second });
    }
  }
  return facts;
};

export const isSecondTier = ({ product }: { product: string }): boolean => product === 'partner_program';
export const isAffiliates = (fact: Fact): boolean => fact.program === 'affiliate' || isSecondTier(fact);

export const sum = (facts: Fact[], span: ModelSpan): number =>
  facts.filter(({ at }) => inside(span, at)).reduce((total, { amount }) => total + amount, 0);

/** The best campaigns by this metric, as `[id, value]`. */
export const best = (facts: Fact[], span: ModelSpan, limit: number): [number, number][] => {
  const byCampaign = new Map<number, number>();
  for (const { at, campaignId, amount } of facts)
    if (campaignId !== 0 && inside(span, at)) byCampaign.set(campaignId, (byCampaign.get(campaignId) ?? 0) + amount);
  return [...byCampaign]
    .filter(([, value]) => value > 0)
    .sort(([one, more], [other, less]) => less - more || one - other)
    .slice(0, limit);
};

const earnedBy = (licenses: PastLicense[], tier: 'own' | 'second'): number =>
  licenses.flatMap(({ postings }) => postings).reduce((total, posting) => total + posting[tier], 0);

/** The dimensions and metrics of performance rows. */
export const performance = (
  history: History,
  cast: PastPartners,
  span: ModelSpan,
): Map<string, Record<string, number>> => {
  const rows = new Map<string, Record<string, number>>();
  const add = (product: string, campaign: number | null, medium: string, counts: Record<string, number>): void => {
    const { name = '', slug = '', id = 0 } = campaignOf(cast.partner, campaign) ?? {};
    const key = [product, id, name, slug, medium].join('|');
    const row = rows.get(key) ?? { clicks: 0, trials: 0, qls: 0, paid: 0, partners_referred: 0, cents: 0 };
    for (const [count, value] of Object.entries(counts)) row[count] = row[count]! + value;
    rows.set(key, row);
  };
  for (const { who, campaign, medium, at } of history.clicks)
    if (who === 'partner' && inside(span, at))
      add(campaignOf(cast.partner, campaign)!.product, campaign, medium, { clicks: 1 });
  for (const license of history.licenses)
    if (license.who === 'partner' && license.program === 'affiliate' && inside(span, license.at))
      add(license.product, license.campaign, license.medium, {
        ...{ trials: 1, qls: Number(license.qualified), paid: Number(license.convertedAt !== null) },
        cents: earnedBy([license], 'own'),
      });
  const { joined, licenses } = history;
  const referred = licenses.filter(({ who }) => who === 'referred');
  if (inside(span, joined.at))
    add('partner_program', joined.campaign, joined.medium, {
      partners_referred: 1,
      cents: earnedBy(referred, 'second'),
    });
  return rows;
};
