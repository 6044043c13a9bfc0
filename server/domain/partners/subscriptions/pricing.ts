import { percentOf, proportion } from '../ledger/proportion.ts';

export interface Reduction {
  percentOff?: number;
  amountOffCents?: number;
}

export interface Price {
  /** From the price list. */
  grossCents: number;
  discountCents: number;
  couponCents: number;
  netCents: number;
}

/** The price of a whole period: the reseller's discount is subtracted first, then the coupon from the rest, never below zero. */
export const priceOf = (
  { seatCents, seats }: { seatCents: number; seats: number },
  { discountPercent, coupon = {} }: { discountPercent: number; coupon?: Reduction },
): Price => {
  const grossCents = seatCents * seats;
  const discountCents = percentOf(grossCents, discountPercent);
  const left = grossCents - discountCents;
  const off = coupon.percentOff === undefined ? (coupon.amountOffCents ?? 0) : percentOf(left, coupon.percentOff);
  const couponCents = Math.min(left, off);
  return { grossCents, discountCents, couponCents, netCents: left - couponCents };
};

export interface Period {
  startsAt: Date;
  endsAt: Date;
}

/** Prorates an amount to the rest of a period, in whole cents. */
export const prorate = (cents: number, { startsAt, endsAt }: Period, now: Date): number => {
  const whole = endsAt.getTime() - startsAt.getTime();
  const rest = Math.min(Math.max(endsAt.getTime() - now.getTime(), 0), whole);
  return whole > 0 ? proportion(cents, rest, whole) : 0;
};

/** Splits an amount due into the payment and the remaining credit. A negative amount due increases the credit. */
export const settleWithCredit = (dueCents: number, creditCents: number): { payCents: number; creditCents: number } => {
  const payCents = Math.max(0, dueCents - creditCents);
  return { payCents, creditCents: creditCents - dueCents + payCents };
};
