import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '#server/storage/tables/index.ts';
import type { RateRule } from '#server/storage/tables/ledger.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program, RateKind, RatesTable } from '#server/storage/tables/program.ts';

export type Rate = Selectable<RatesTable>;

/** What the percent is for. */
export interface RateQuestion {
  kind: RateKind;
  /** The partner who earns the commission or gets the discount. */
  partnerId: number;
  program: Program;
  product: Product;
  campaignId?: number | null | undefined;
  /** The time of the payment. */
  at: Date;
}

/** The most specific first. */
const RULES: readonly RateRule[] = ['campaign', 'partner_product', 'partner', 'product', 'programme'];

export interface FoundRate {
  percent: number;
  /** `null` if it has no end. */
  endsAt: Date | null;
  rule: RateRule;
  rateId?: number;
}

const ruleOf = ({ forCampaignId, forPartnerId, product }: Rate): RateRule => {
  if (forCampaignId !== null) return 'campaign';
  if (forPartnerId !== null) return product === null ? 'partner' : 'partner_product';
  return product === null ? 'programme' : 'product';
};

const isAbout = <T>(wanted: T | null, requested: T | null | undefined): boolean =>
  wanted === null || wanted === requested;

const holds = (rate: Rate, { kind, partnerId, program, product, campaignId, at }: RateQuestion): boolean =>
  rate.kind === kind &&
  isAbout(rate.program, program) &&
  isAbout(rate.product, product) &&
  isAbout(rate.forPartnerId, partnerId) &&
  isAbout(rate.forCampaignId, campaignId) &&
  rate.startsAt <= at &&
  (rate.endsAt === null || at < rate.endsAt);

/** Sorts the more specific rate first and, among equals, the newer one. */
const compare = (one: Rate, other: Rate): number =>
  RULES.indexOf(ruleOf(one)) - RULES.indexOf(ruleOf(other)) ||
  Number(other.createdAt) - Number(one.createdAt) ||
  other.id - one.id;

export const pickRate = (rates: readonly Rate[], question: RateQuestion): FoundRate => {
  const [best] = rates.filter((rate) => holds(rate, question)).sort(compare);
  return best
    ? { percent: Number(best.percent), endsAt: best.endsAt, rule: ruleOf(best), rateId: best.id }
    : { percent: 0, endsAt: null, rule: 'none' };
};

/** All rates that can apply to a partner. */
export const readRates = (
  db: Kysely<Tables>,
  { kind, partnerId }: Pick<RateQuestion, 'kind' | 'partnerId'>,
): Promise<Rate[]> =>
  db
    .selectFrom('rates')
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('forPartnerId', 'is', null), eb('forPartnerId', '=', partnerId)]))
    .selectAll()
    .execute();

/** The percent for a payment and the rule that decided it. */
export const rateFor = async (db: Kysely<Tables>, question: RateQuestion): Promise<FoundRate> =>
  pickRate(await readRates(db, question), question);
