import type { BillingCycle } from '#server/storage/tables/ledger.ts';
import type { Plan } from '#server/storage/tables/organizations.ts';
import { invalid } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';
import { rateFor } from '../rates/resolve.ts';
import type { ResellerLicense } from '../resellers/licenses.ts';
import { type Price, priceOf, type Reduction } from './pricing.ts';

export interface Terms {
  plan: Plan;
  billingCycle: BillingCycle;
  seats: number;
}

export interface PricedTerms extends Terms {
  seatCents: number;
  discountPercent: number;
  price: Price;
}

const couponOf = async (scope: PartnerScope, couponId: number | null): Promise<Reduction> => {
  if (couponId === null) return {};
  const coupon = await scope
    .from('coupons')
    .where('id', '=', couponId)
    .select(['percentOff', 'amountOffCents'])
    .executeTakeFirst();
  return {
    ...(coupon?.percentOff ? { percentOff: Number(coupon.percentOff) } : {}),
    ...(coupon?.amountOffCents ? { amountOffCents: coupon.amountOffCents } : {}),
  };
};

/** The reseller's current discount. */
export const discountFor = (scope: PartnerScope, at: Date) =>
  rateFor(scope.db, { kind: 'discount', partnerId: scope.partnerId, program: 'solution', product: 'mainchat', at });

/** The price of the terms for a whole period, with the current price list, the reseller's discount and the license's coupon. */
export const priceTerms = async (
  scope: PartnerScope,
  { couponId }: Pick<ResellerLicense, 'couponId'>,
  terms: Terms,
): Promise<PricedTerms> => {
  const [listed, { percent: discountPercent }, coupon] = await Promise.all([
    scope.db
      .selectFrom('prices')
      .where('plan', '=', terms.plan)
      .where('billingCycle', '=', terms.billingCycle)
      .select('seatCents')
      .executeTakeFirst(),
    discountFor(scope, scope.now()),
    couponOf(scope, couponId),
  ]);
  if (!listed) throw invalid('plan', 'has no price for this billing cycle');
  const { seatCents } = listed;
  return {
    ...terms,
    seatCents,
    discountPercent,
    price: priceOf({ seatCents, seats: terms.seats }, { discountPercent, coupon }),
  };
};
