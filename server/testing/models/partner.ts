import { type Cast, campaignOf, type History, type PastLicence } from '../builders/partner-history.ts';

/** Half-open. */
export interface ModelSpan {
  from: number;
  until: number;
}

/** One thing that counts. */
export interface Fact {
  at: number;
  campaignId: number;
  program: string;
  product: string;
  licenceProduct: string;
  amount: number;
}

export type Facts = Record<'clicks' | 'trials' | 'conversions' | 'commission', Fact[]>;

const inside = ({ from, until }: ModelSpan, at: Date | number): boolean => Number(at) >= from && Number(at) < until;

/** Everything that counts for the partner, written down the long way. */
export const factsOf = (history: History, cast: Cast): Facts => {
  const facts: Facts = { clicks: [], trials: [], conversions: [], commission: [] };
  const joinedBy = campaignOf(cast.partner, history.joined.campaign)?.id ?? 0;
  for (const { who, campaign, at } of history.clicks) {
    if (who !== 'partner') continue;
    const { id, product } = campaignOf(cast.partner, campaign)!;
    facts.clicks.push({ at: Number(at), campaignId: id, program: '', product, licenceProduct: '', amount: 1 });
  }
  for (const licence of history.licences) {
    const { who, program, product, convertedAt, postings } = licence;
    const campaignId = campaignOf(cast.partner, licence.campaign)?.id ?? 0;
    const own = { campaignId, program, product, licenceProduct: product, amount: 1 };
    if (who === 'partner' && program === 'affiliate') {
      facts.trials.push({ ...own, at: Number(licence.at) });
      if (convertedAt) facts.conversions.push({ ...own, at: Number(convertedAt) });
    }
    for (const posting of postings) {
      const paid = { at: Number(posting.at), program, licenceProduct: posting.product };
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

/** The best campaigns by it, as `[id, value]`. */
export const best = (facts: Fact[], span: ModelSpan, limit: number): [number, number][] => {
  const byCampaign = new Map<number, number>();
  for (const { at, campaignId, amount } of facts)
    if (campaignId !== 0 && inside(span, at)) byCampaign.set(campaignId, (byCampaign.get(campaignId) ?? 0) + amount);
  return [...byCampaign]
    .filter(([, value]) => value > 0)
    .sort(([one, more], [other, less]) => less - more || one - other)
    .slice(0, limit);
};

const earnedBy = (licences: PastLicence[], tier: 'own' | 'second'): number =>
  licences.flatMap(({ postings }) => postings).reduce((total, posting) => total + posting[tier], 0);

/** What a row of the performance is about, and its numbers. */
export const performance = (history: History, cast: Cast, span: ModelSpan): Map<string, Record<string, number>> => {
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
  for (const licence of history.licences)
    if (licence.who === 'partner' && licence.program === 'affiliate' && inside(span, licence.at))
      add(licence.product, licence.campaign, licence.medium, {
        ...{ trials: 1, qls: Number(licence.qualified), paid: Number(licence.convertedAt !== null) },
        cents: earnedBy([licence], 'own'),
      });
  const { joined, licences } = history;
  const referred = licences.filter(({ who }) => who === 'referred');
  if (inside(span, joined.at))
    add('partner_program', joined.campaign, joined.medium, {
      partners_referred: 1,
      cents: earnedBy(referred, 'second'),
    });
  return rows;
};
